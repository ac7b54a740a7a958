"""Sphinx settings."""

import re

from simplexcoding import __version__

project = "simplexcoding"
author = "The simplexcoding developers"
copyright = author
release = version = __version__

extensions = [
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "numpydoc",
    "myst_parser",
    "sphinx_gallery.gen_gallery",
]
myst_enable_extensions = ["dollarmath"]
templates_path = ["_templates"]
exclude_patterns = ["_build", "_templates", "examples", "figures"]
html_static_path = ["_static"]

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "gallery",
    "filename_pattern": r"plot_.*\.py",
    "download_all_examples": False,
    "show_signature": False,
    # Times differ from run to run, and pages should not.
    "min_reported_time": 1e6,
}
suppress_warnings = ["config.cache"]
html_theme = "pydata_sphinx_theme"
html_title = "simplexcoding"

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


def setup(app):
    # After numpydoc, which has already laid the sections out.
    app.connect("autodoc-process-docstring", plain_text, priority=900)
