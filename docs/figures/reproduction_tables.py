"""Print the tables of docs/reproduction.md from one or more results.json.

python docs/figures/reproduction_tables.py RESULTS...
"""

import sys
from pathlib import Path

from simplexcoding.experiments.cell import FEATURES
from simplexcoding.experiments.journal import Journal
from simplexcoding.experiments.table import Table

rows = [row for path in sys.argv[1:] for row in Journal(Path(path)).rows]
for kind in FEATURES:
    print(f"## {kind.capitalize()} features\n\n{Table.of(rows, kind).markdown()}\n")
