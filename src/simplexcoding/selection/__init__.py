"""Choosing the regularisation: hold-out scores and ties."""
