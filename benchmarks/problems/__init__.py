"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import boosting, losses, online, package, ridge

__all__ = ["boosting", "losses", "online", "package", "ridge"]
