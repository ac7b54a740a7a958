"""Print the lowest version of every dependency that is allowed, as constraints for pip."""

import tomllib
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]
print("\n".join(bound.replace(">=", "==") for bound in project["dependencies"]))
