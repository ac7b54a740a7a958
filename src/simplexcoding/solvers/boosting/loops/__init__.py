"""Compiled loops of boosting. Its modules import Numba: import them late."""
