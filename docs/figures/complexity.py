"""Draw complexity.png and print the slopes of docs/reproduction.md from a results.json.

python docs/figures/complexity.py RESULTS
"""

import sys
from base64 import b64decode
from pathlib import Path

from simplexcoding.experiments.figures import complexity
from simplexcoding.experiments.journal import Journal

series = Journal(Path(sys.argv[1])).complexity
picture = complexity(series)
assert picture is not None, "these results hold no times against n and T"
Path(__file__).with_suffix(".png").write_bytes(b64decode(picture.split(",")[1]))
print("| method | against | slope | order | seconds |")
print("| --- | --- | ---: | --- | --- |")
for each in series:
    seconds = ", ".join(f"{value:.2g}" for value in each["seconds"])
    print(
        f"| {each['title']} | {each['axis']} | {each['slope']:.1f} | {each['order']} | {seconds} |"
    )
