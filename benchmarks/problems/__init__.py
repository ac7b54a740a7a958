"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import losses, package

__all__ = ["losses", "package"]
