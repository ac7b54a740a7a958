"""Factorisations and solves on LAPACK, BLAS and their like."""
