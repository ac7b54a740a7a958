"""The paper's table and figures: its figures as data, its protocol, and the run that meets them."""

from simplexcoding.experiments.methods import METHODS, available_methods
from simplexcoding.experiments.protocol import QUICK, Protocol
from simplexcoding.experiments.published import PUBLISHED
from simplexcoding.experiments.runner import reproduce

__all__ = ["METHODS", "PUBLISHED", "QUICK", "Protocol", "available_methods", "reproduce"]
