"""What a browser makes of a page: Chromium, where this machine has it."""

import re
import shutil
import subprocess
from html import escape
from typing import NamedTuple

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser")
needs_browser = pytest.mark.skipif(
    BROWSER is None, reason="no chromium or chromium-browser on the path of this machine"
)
# A frame, because a window of its own is never narrower than 500 pixels; rules for narrow screens
# ask for the frame's width.
_FRAME = """<!DOCTYPE html><html><head><title>-</title></head><body>
<iframe width="{width}" height="900" style="border: 0" srcdoc="{page}"></iframe>
<script>
onload = () => {{
  const shown = document.querySelector("iframe"), page = shown.contentDocument;
  document.title = JSON.stringify([page.documentElement.scrollWidth, shown.contentWindow.innerWidth,
    page.images.length, [...page.images].every(each => each.naturalWidth > 0)]);
}}
</script></body></html>
"""


class Shown(NamedTuple):
    """A page on a screen: the pixels it needs across, those it is given, all pictures drawn."""

    needed: int
    given: int
    n_pictures: int
    all_drawn: bool


def show(html, folder, width):
    """Open a page on a screen of so many pixels across."""
    page = folder / "page.html"
    page.write_text(_FRAME.format(width=width, page=escape(html)))
    done = subprocess.run(
        [
            BROWSER,
            *("--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"),
            *("--disable-background-networking", "--disable-component-update", "--disable-sync"),
            f"--user-data-dir={folder / 'profile'}",
            "--window-size=1400,1000",
            "--dump-dom",
            page.as_uri(),
        ],
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    found = re.search(r"<title>\[(\d+),(\d+),(\d+),(\w+)\]", done.stdout)
    needed, given, n_pictures = (int(number) for number in found.groups()[:3])
    return Shown(needed, given, n_pictures, found[4] == "true")
