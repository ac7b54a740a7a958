"""Factorised least-squares problems: every alpha, and every row left out."""
