"""Choosing the regularisation: grids, scores of left-out rows, and the search."""
