"""Errors of the command line: one line that names file, column and cure, exit code 2."""


class Complaint(Exception):
    """Something the user can fix; its text is all that is shown."""
