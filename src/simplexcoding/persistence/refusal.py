"""Errors of model files: one for users, and the one that is passed up to become it."""


class ModelFileError(ValueError):
    """A model that cannot be stored, or a file that is no sound model file.

    Examples
    --------
    >>> from simplexcoding import persistence
    >>> persistence.load("absent.model")
    Traceback (most recent call last):
        ...
    simplexcoding.persistence.refusal.ModelFileError: absent.model: no such file.
    """


class Refusal(Exception):
    """A value that is not what its place asks for.

    Parameters
    ----------
    reason : str
        What is wrong, as the end of a sentence: "has shape (3,)".
    where : tuple of str, default=()
        Names that lead to the value, outermost first.
    """

    def __init__(self, reason: str, where: tuple[str, ...] = ()) -> None:
        super().__init__(reason)
        self.reason = reason
        self.where = where

    def inside(self, name: str) -> "Refusal":
        """Return the same refusal, seen from the thing that holds the value under this name."""
        return Refusal(self.reason, (name, *self.where))

    def __str__(self) -> str:
        return f"{'.'.join(self.where)} {self.reason}" if self.where else self.reason
