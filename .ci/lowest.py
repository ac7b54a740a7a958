"""Print the lowest version of every dependency that is allowed, as constraints for pip."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

project = tomllib.loads((Path(__file__).parents[1] / "pyproject.toml").read_text())["project"]


def lowest(requirements: list[str]) -> Iterator[str]:
    """Constraints of requirements that have a lower bound; own extras are followed."""
    for requirement in requirements:
        name, extras, bound = re.match(
            r"([\w-]+)(?:\[([\w,]+)\])?(?:>=([\d.]+))?", requirement
        ).groups()
        if name == project["name"]:
            for extra in extras.split(","):
                yield from lowest(project["optional-dependencies"][extra])
        elif bound:
            yield f"{name}=={bound}"


everything = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
print("\n".join(sorted({*lowest(everything)})))
# Later ones warn of what the lowest matplotlib and typer call, and tests take warnings for errors.
print("click==8.1.7\npyparsing==3.1.0")
