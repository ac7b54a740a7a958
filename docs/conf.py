"""Sphinx settings."""

import re

from docutils import nodes

from simplexcoding import __version__

project = "simplexcoding"
author = "The simplexcoding developers"
copyright = author
release = version = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx.ext.viewcode",
    # MathJax from the pages' own folder: formulas are drawn without a network.
    "sphinx-mathjax-offline",
    "sphinx_design",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
myst_enable_extensions = ["colon_fence", "dollarmath"]
myst_heading_anchors = 3
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates", "examples", "figures"]
html_static_path = ["_static"]
html_css_files = ["site.css"]

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_.*\.py",
    "download_all_examples": False,
    "show_signature": False,
    "thumbnail_size": (640, 448),
    # Figures and what is printed, but no representation of the last object.
    "capture_repr": (),
    # Times differ from run to run, and pages should not.
    "min_reported_time": 1e6,
    "write_computation_times": False,
}
suppress_warnings = ["config.cache"]
html_theme = "pydata_sphinx_theme"
html_title = "simplexcoding"
html_copy_source = False
html_show_sourcelink = False
html_theme_options = {
    "navbar_align": "left",
    "header_links_before_dropdown": 6,
    "show_toc_level": 2,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "pygments_light_style": "tango",
}
html_sidebars = {"index": [], "api": [], "gallery/index": []}

toc_object_entries_show_parents = "hide"
autosummary_generate = True
autosummary_ignore_module_all = False
autodoc_typehints = "none"
numpydoc_show_class_members = False

# Methods inherited from scikit-learn point to places in its own manual.
_ROLE = re.compile(r":(?:ref|term):`([^`<]*?)\s*(?:<[^`]*>)?`")
_LITERAL = re.compile(r"(`+.*?`+|^\s*\.\. .*)")


def plain_text(app, what, name, obj, options, lines):
    """Keep formulas of docstrings, such as ||c_y|| and sum_(k != y), from being read as markup."""
    in_example = False
    lines[:] = [_ROLE.sub(r"\1", line) for line in lines]
    for i, line in enumerate(lines):
        in_example = line.lstrip().startswith(">>>") or (in_example and line.strip() != "")
        if not in_example:
            parts = _LITERAL.split(line)
            parts[::2] = [re.sub(r"\||(?<=\w)_(?=\W|$)", r"\\\g<0>", part) for part in parts[::2]]
            lines[i] = "".join(parts)


def trim_code(app, doctree):
    """Drop the empty line that doctest wants at the end of a block of code."""
    for block in doctree.findall(nodes.literal_block):
        block.rawsource = block.astext().rstrip()
        block.children = [nodes.Text(block.rawsource)]


def describe_thumbnails(app, doctree):
    """Give the pictures that lead to examples the titles of these as their words."""
    pictures = []
    for node in doctree.findall(lambda node: isinstance(node, nodes.image | nodes.raw)):
        if isinstance(node, nodes.image):
            pictures.append(node)
        elif title := re.search(r'thumbnail-title">(.*?)</div>', node.astext()):
            pictures[-1]["alt"] = f"Picture of the example: {title[1]}"


def setup(app):
    # After numpydoc, which has already laid the sections out.
    app.connect("autodoc-process-docstring", plain_text, priority=900)
    app.connect("doctree-read", trim_code)
    app.connect("doctree-read", describe_thumbnails)
