"""Thin scikit-learn shells: the four estimators and what all of them share."""
