"""Print the lowest version of every dependency that is allowed, as constraints for pip."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
print("\n".join(bound.replace(">=", "==") for bound in project["dependencies"]))
# The tests read frames by these, whose latest releases ask for later versions of the above.
print("pyarrow==17.0.0\npolars==1.0.0")
