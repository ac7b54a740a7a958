"""Model files: save a fitted model, load it, without anything that could run."""

from pathlib import Path
from typing import Any, NamedTuple

from simplexcoding import __version__
from simplexcoding.atomic import write_atomically
from simplexcoding.persistence.container import pack, unpack
from simplexcoding.persistence.labels import Plain
from simplexcoding.persistence.models import read_model, write_model
from simplexcoding.persistence.refusal import ModelFileError, Refusal
from simplexcoding.persistence.specs import check_text
from simplexcoding.persistence.stored import Stored

_MAKE_ONE = "make one with `simplexcoding fit` or simplexcoding.persistence.save"
_SAVE_AGAIN = "fit the model again and save it"


class ModelFile(NamedTuple):
    """What a model file holds.

    Parameters
    ----------
    model : fitted estimator or pipeline
    notes : dict
        What was saved beside it.
    package : str
        Version of the package that wrote the file.
    """

    model: Any
    notes: dict[str, Any]
    package: str


def save(model: Any, path: Any, notes: dict[str, Any] | None = None) -> None:
    """Write a fitted model to a file that is safe to open.

    The file is replaced whole: an interrupted write leaves the old one.

    Parameters
    ----------
    model : fitted estimator of this package
        Or a scikit-learn Pipeline of StandardScaler and Normalizer before one.
    path : str or Path
    notes : dict, default=None
        Strings, numbers, lists and dicts to keep beside the model.

    Raises
    ------
    ModelFileError
        If the model holds what cannot be stored: functions as kernels, other regressors
        inside boosting, splitters in `cv`.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> from sklearn.datasets import load_iris
    >>> from simplexcoding import SimplexRidgeClassifier, persistence
    >>> X, y = load_iris(return_X_y=True)
    >>> model = SimplexRidgeClassifier(kernel="rbf").fit(X, y)
    >>> with TemporaryDirectory() as folder:
    ...     persistence.save(model, f"{folder}/iris.model")
    ...     again = persistence.load(f"{folder}/iris.model")
    >>> bool((again.predict_proba(X) == model.predict_proba(X)).all())
    True
    """
    path = Path(path)
    try:
        data = to_bytes(model, notes)
        write_atomically(path, data)
    except Refusal as refusal:
        raise ModelFileError(f"{path}: the model cannot be stored: {refusal}.") from None
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be written: {error.strerror or error}.") from None


def load(path: Any) -> Any:
    """Read a model from a file, refusing whatever is not a whole and sound one.

    Nothing in the file is run. Classes come from a short list, every array is checked
    against what its place asks for (type, shape, range, indices, finite values) before
    anything uses it, and no more memory is taken than a small multiple of the file's size.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    fitted estimator or pipeline

    Raises
    ------
    ModelFileError
        With one line that says what is wrong.
    """
    return open_model_file(path).model


def open_model_file(path: Any) -> ModelFile:
    """Read a model and what was saved beside it; otherwise as `load`.

    Parameters
    ----------
    path : str, Path or open binary file
        What `save` has written.

    Returns
    -------
    ModelFile
    """
    path = Path(path)
    try:
        # A pipe or a device may have no end.
        if not path.is_file():
            reason = "is no file" if path.exists() else "no such file"
            raise ModelFileError(f"{path}: {reason}.")
        data = path.read_bytes()
    except OSError as error:
        raise ModelFileError(f"{path}: cannot be read: {error.strerror or error}.") from None
    return open_model_bytes(data, str(path))


def open_model_bytes(data: bytes, name: str) -> ModelFile:
    """Read a model from the bytes of a file; `name` is what errors call it."""
    try:
        return from_bytes(data)
    except Refusal as refusal:
        cure = _MAKE_ONE if "no model file" in refusal.reason else _SAVE_AGAIN
        raise ModelFileError(f"{name}: {refusal}; {cure}.") from None


def to_bytes(model: Any, notes: dict[str, Any] | None = None) -> bytes:
    """Bytes of a model file; raises Refusal."""
    out = Stored()
    content = {
        "package": __version__,
        "notes": Plain().write(dict(notes or {}), out),
        "model": write_model(model, out),
    }
    return pack(content, out.arrays)


def from_bytes(data: bytes) -> ModelFile:
    """Model file of its bytes; raises Refusal."""
    content, arrays = unpack(data)
    if not isinstance(content, dict) or set(content) != {"package", "notes", "model"}:
        raise Refusal("holds no model")
    check_text(content["package"])
    source = Stored(arrays, file_size=len(data))
    try:
        notes = Plain().read(content["notes"], source)
        if type(notes) is not dict:
            raise Refusal("has notes of a wrong kind")
        model = read_model(content["model"], source)
        if len(source.used) != len(arrays):
            raise Refusal("holds arrays that belong to nothing")
    except Refusal as refusal:
        written = content["package"]
        if written == __version__:
            raise
        words = f" (written by release {written[:20]}, this is {__version__})"
        raise Refusal(refusal.reason + words, refusal.where) from None
    return ModelFile(model, notes, content["package"])
