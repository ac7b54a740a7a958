"""One file a group of problems; importing a file registers its problems."""

from benchmarks.problems import boosting, calibration, losses, online, package, ridge

__all__ = ["boosting", "calibration", "losses", "online", "package", "ridge"]
