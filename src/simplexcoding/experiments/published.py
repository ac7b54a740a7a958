"""The paper's table: accuracy in per cent on the test part, by method and data set, every cell.

Mroueh, Poggio, Rosasco and Slotine, Multiclass Learning with Simplex Coding, NIPS 2012. The
features behind its columns Caltech101 and Pubfig83 were never published, so no figure of ours
can stand beside those. An absent cell is one that the paper leaves empty.
"""

COLUMNS = {
    "landsat": "Landsat",
    "optdigit": "Optdigit",
    "pendigit": "Pendigit",
    "letter": "Letter",
    "isolet": "Isolet",
    "caltech101": "Caltech101",
    "pubfig83": "Pubfig83",
}
OWN_FEATURES = ("caltech101", "pubfig83")


def _row(*figures: float) -> dict[str, float]:
    return dict(zip(COLUMNS, figures, strict=False))


PUBLISHED: dict[str, dict[str, float]] = {
    "sc_online": _row(65.15, 89.57, 81.62, 52.82, 88.58, 63.33, 84.70),
    "sh_online": _row(75.43, 85.58, 72.54, 38.40, 77.65, 45.00, 49.76),
    "ls_online": _row(63.62, 91.68, 81.39, 54.29, 92.62, 58.39, 83.61),
    "ls_linear": _row(65.88, 91.90, 80.69, 54.96, 92.55, 66.35, 86.63),
    "ls_rbf": _row(90.15, 97.09, 98.17, 96.48, 97.05, 69.38, 86.75),
    "ova_linear": _row(72.81, 92.13, 86.93, 62.78, 90.59, 70.13, 85.97),
    "ova_rbf": _row(95.33, 98.07, 98.88, 97.12, 96.99, 51.77, 85.60),
    "boosting": _row(86.65, 92.82, 92.94, 59.65, 91.02),
}

# Methods of ours that stand beside the same row of the paper.
_SAME_ROW = {"sc_plain": "sc_online", "sh_plain": "sh_online", "ls_plain": "ls_online"}


def published(method: str, dataset: str) -> float | None:
    """Figure of the paper that ours can be set beside, None where there is none.

    Examples
    --------
    >>> published("ls_rbf", "letter"), published("sc_plain", "letter")
    (96.48, 52.82)
    >>> published("ls_rbf", "caltech101") is None
    True
    """
    if dataset in OWN_FEATURES:
        return None
    return PUBLISHED.get(_SAME_ROW.get(method, method), {}).get(dataset)
