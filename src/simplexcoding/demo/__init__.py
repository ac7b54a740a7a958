"""A tour in two minutes: one data set through the whole story, then the paper's table."""
