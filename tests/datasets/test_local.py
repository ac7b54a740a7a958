import numpy as np
import pytest

from simplexcoding.datasets import local
from simplexcoding.datasets.bundled import load_bundled
from simplexcoding.datasets.catalogue import SetInfo
from simplexcoding.datasets.checks import DataError
from simplexcoding.datasets.local import data_folder, load_local


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder that holds iris as one of the paper's sets would be held."""
    monkeypatch.setitem(local.CATALOGUE, "iris", SetInfo("Iris", "flowers", decimals=1))
    split = load_bundled("iris")
    names = ("X_train", "y_train", "X_test", "y_test")
    np.savez(tmp_path / "flowers.npz", **{name: getattr(split, name) for name in names})
    return tmp_path


def test_reads_the_file_and_says_so(folder):
    split = load_local("iris", folder)
    np.testing.assert_array_equal(split.X_train, load_bundled("iris").X_train)
    assert split.source == "the file flowers.npz"


def test_a_folder_without_the_file_has_no_say(folder):
    (folder / "flowers.npz").unlink()
    assert load_local("iris", folder) is None


def test_a_broken_file_is_named(folder):
    (folder / "flowers.npz").write_bytes(b"no zip")
    with pytest.raises(DataError, match=r"flowers\.npz cannot be read"):
        load_local("iris", folder)


def test_a_file_without_the_arrays_is_named(folder):
    np.savez(folder / "flowers.npz", X=np.ones((2, 2)))
    with pytest.raises(DataError, match=r"flowers\.npz .* X_train"):
        load_local("iris", folder)


def test_the_folder_is_the_one_given_then_the_variable_then_none(tmp_path, monkeypatch):
    monkeypatch.setenv("SIMPLEXCODING_DATA", str(tmp_path))
    (tmp_path / "given").mkdir()
    assert data_folder(tmp_path / "given") == tmp_path / "given"
    assert data_folder() == tmp_path
    monkeypatch.delenv("SIMPLEXCODING_DATA")
    assert data_folder() is None
    with pytest.raises(DataError, match="absent is no folder"):
        data_folder(tmp_path / "absent")
