"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import losses, online, package, ridge

__all__ = ["losses", "online", "package", "ridge"]
