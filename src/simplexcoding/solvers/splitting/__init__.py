"""Splitting: one n x n operator for every class, loss and C, and a prox per row."""
