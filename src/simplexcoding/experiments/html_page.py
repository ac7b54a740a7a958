"""The HTML page around a report: its style, its sections, its tables."""

from collections.abc import Iterable, Sequence
from html import escape

from simplexcoding.experiments.table import Entry

_STYLE = """
:root { color-scheme: light; }
body { font: 16px/1.5 system-ui, sans-serif; color: #1a1a1a; background: #fff;
  max-width: 68rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.25; } h2 { font-size: 1.15rem; margin-top: 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-size: .88rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid #ddd;
  vertical-align: top; white-space: nowrap; }
small { color: #555; } .below { color: #b03a00; font-weight: 600; }
figure { margin: 1rem 0; } img { max-width: 100%; height: auto; }
figcaption { font-size: .85rem; color: #555; }
@media (max-width: 40rem) { body { padding: .7rem; font-size: 15px; }
  td small { display: block; } }
@media print { body { max-width: none; font-size: 10pt; } .scroll { overflow: visible; }
  table { font-size: 8pt; } th, td { white-space: normal; padding-right: .4rem; }
  figure, tr { break-inside: avoid; } h2 { break-after: avoid; } }
"""


def page(heading: str, preface: str, parts: Iterable[str]) -> str:
    """A whole page of sections, well formed as XML."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"/>'
        '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
        f"<title>{escape(heading)}</title><style>{_STYLE}</style></head>"
        f"<body><h1>{escape(heading)}</h1><p>{escape(preface)}</p>{''.join(parts)}</body></html>\n"
    )


def section(heading: str, *parts: str) -> str:
    """A section; its parts are HTML, its heading is text."""
    return f"<section><h2>{escape(heading)}</h2>{''.join(parts)}</section>"


def table_html(heading: Sequence[str], body: Iterable[Sequence[str]]) -> str:
    """A table that scrolls by itself on a narrow screen; cells are HTML.

    Examples
    --------
    >>> table_html(["a"], [["1"]])
    '<div class="scroll"><table><tr><th>a</th></tr><tr><td>1</td></tr></table></div>'
    """
    head = "".join(f"<th>{cell}</th>" for cell in heading)
    lines = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in body)
    return f'<div class="scroll"><table><tr>{head}</tr>{lines}</table></div>'


def entry_html(entry: Entry, not_run: str) -> str:
    """Our figure, the paper's and the difference in brackets; `not_run` where ours is missing."""
    if entry.error:
        return f'<span title="{escape(entry.error)}">failed</span>'
    if entry.ours is None:
        return not_run
    if entry.difference is None:
        return f"<b>{entry.ours:.2f}</b>"
    kind = "below" if entry.difference < -1 else "level"
    return (
        f"<b>{entry.ours:.2f}</b> <small>({entry.paper:.2f}, "
        f'<span class="{kind}">{entry.difference:+.2f}</span>)</small>'
    )


def figure_html(address: str | None, caption: str) -> str:
    """A picture with its caption, which describes it too; nothing without a picture."""
    if address is None:
        return ""
    text = escape(caption)
    return f'<figure><img src="{address}" alt="{text}"/><figcaption>{text}</figcaption></figure>'
