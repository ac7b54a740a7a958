"""Write docs/reproduction.json from results of `simplexcoding reproduce`, and render its pages.

python docs/figures/reproduction.py [RESULTS]

Without RESULTS the page and the README's table alone are rendered, from the file that is there.
"""

import json
import sys
from base64 import b64decode
from pathlib import Path

from simplexcoding.experiments.docs_page import render
from simplexcoding.experiments.figures import complexity
from simplexcoding.experiments.journal import Journal

DOCS = Path(__file__).resolve().parents[1]
FILE, PAGE = DOCS / "reproduction.json", DOCS / "reproduction.md"
README = DOCS.parent / "README.md"

if len(sys.argv) > 1:
    figures = Journal(Path(sys.argv[1])).figures()
    rows = [json.dumps(row) for row in figures.pop("rows")]
    text = json.dumps(figures)[:-1] + ', "rows": [\n' + ",\n".join(rows) + "\n]}\n"
    FILE.write_text(text, encoding="utf-8")
results = json.loads(FILE.read_text(encoding="utf-8"))
for page in (PAGE, README):
    page.write_text(render(page.read_text(encoding="utf-8"), results), encoding="utf-8")
picture = complexity(results.get("complexity", []))
if picture is not None:
    (DOCS / "figures" / "complexity.png").write_bytes(b64decode(picture.split(",")[1]))
print(f"{len(results['rows'])} cells on {PAGE.name}")
