"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import boosting, losses, package

__all__ = ["boosting", "losses", "package"]
