"""Passes over blocks of rows: what a fit needs of data that is read and not held."""
