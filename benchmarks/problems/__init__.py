"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import inference, losses, package, ridge

__all__ = ["inference", "losses", "package", "ridge"]
