"""Solvers: a problem in, a solution with its certificate out. They never print and never warn."""
