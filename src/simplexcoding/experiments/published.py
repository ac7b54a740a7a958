"""The paper's table: accuracy in per cent on the test part, by method and data set.

Mroueh, Poggio, Rosasco and Slotine, Multiclass Learning with Simplex Coding, NIPS 2012. The
columns Caltech101 and Pubfig83 are left out: their features were never published, so no figure
of ours can be set beside them. An absent cell is a figure we do not have.
"""

_COLUMNS = ("landsat", "optdigit", "pendigit", "letter", "isolet")


def _row(*figures: float) -> dict[str, float]:
    return dict(zip(_COLUMNS, figures, strict=True))


PUBLISHED: dict[str, dict[str, float]] = {
    "sc_online": _row(65.15, 89.57, 81.62, 52.82, 88.58),
    "sh_online": _row(75.43, 85.58, 72.54, 38.40, 77.65),
    "ls_online": _row(63.62, 91.68, 81.39, 54.29, 92.62),
    "ls_linear": _row(65.88, 91.90, 80.69, 54.96, 92.55),
    "ls_rbf": _row(90.15, 97.09, 98.17, 96.48, 97.05),
    "boosting": _row(86.65, 92.82, 92.94, 59.65, 91.02),
}


def published(method: str, dataset: str) -> float | None:
    """Figure of the paper, None where there is none.

    Examples
    --------
    >>> published("ls_rbf", "letter")
    96.48
    >>> published("ls_rbf", "caltech101") is None
    True
    """
    return PUBLISHED.get(method, {}).get(dataset)
