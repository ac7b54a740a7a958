"""Thin scikit-learn shells, one family a file."""
