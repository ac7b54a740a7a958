import numpy as np
import pandas as pd
import polars as pl
import pytest

from simplexcoding.solvers.boosting.categories import Categories

FRAME = pd.DataFrame(
    {
        "size": [1.5, 2.0, np.nan, 0.5],
        "colour": pd.Categorical(["red", "blue", None, "red"], categories=["red", "blue", "green"]),
        "kind": ["x", "y", "x", "z"],
    }
)


def test_categorical_dtypes_are_found_and_numbered():
    found = Categories.of(FRAME[["size", "colour"]], "from_dtype")
    assert found.columns.tolist() == [1]
    assert found.values == (("blue", "red"),)
    assert found.mask(2).tolist() == [False, True]
    encoded = found.encode(FRAME[["size", "colour"]])
    assert list(encoded.columns) == ["size", "colour"]
    assert np.array_equal(encoded["colour"], [1, 0, np.nan, 1], equal_nan=True)
    assert str(FRAME["colour"].dtype) == "category"


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["red", "blue", "green"])])
def test_categorical_dtypes_of_polars(dtype):
    colours = pl.Series("colour", ["red", "blue", None, "red"], dtype=dtype)
    frame = pl.DataFrame({"size": [1.5, 2.0, None, 0.5], "colour": colours, "kind": list("xyxz")})
    found = Categories.of(frame, "from_dtype")
    assert found.columns.tolist() == [1]
    assert found.values == (("blue", "red"),)
    for which in (["colour", "kind"], [1, 2], [False, True, True]):
        assert Categories.of(frame, which).values == (("blue", "red"), ("x", "y", "z"))
    encoded = found.encode(frame)
    assert encoded.columns == frame.columns and frame["colour"].dtype == dtype
    assert np.array_equal(encoded["colour"].to_numpy(), [1, 0, np.nan, 1], equal_nan=True)
    new = pl.DataFrame({"size": [1.0], "colour": ["green"], "kind": ["x"]})
    assert np.isnan(found.encode(new)["colour"][0])


def test_values_never_seen_are_missing():
    found = Categories.of(FRAME[["colour"]], "from_dtype")
    new = pd.DataFrame({"colour": pd.Categorical(["green", "blue"])})
    assert np.array_equal(found.encode(new)["colour"], [np.nan, 0], equal_nan=True)


@pytest.mark.parametrize("which", [["colour", "kind"], [1, 2], [False, True, True]])
def test_columns_are_meant_by_name_number_or_mask(which):
    found = Categories.of(FRAME, which)
    assert found.columns.tolist() == [1, 2]
    assert found.values[1] == ("x", "y", "z")


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.int64, object])
def test_arrays_of_numbers(dtype):
    X = np.array([[7, 1], [3, 2], [7, 3]], dtype=dtype)
    found = Categories.of(X, [0])
    assert found.values == ((3, 7),)
    encoded = found.encode(X)
    assert encoded[:, 0].tolist() == [1, 0, 1]
    assert encoded[:, 1].tolist() == [1, 2, 3]
    assert encoded.dtype == (dtype if dtype in (np.float64, np.float32) else np.float64)
    assert X[0, 0] == 7


@pytest.mark.parametrize("which", [None, "from_dtype"])
def test_plain_arrays_have_none(which):
    X = np.ones((3, 2))
    found = Categories.of(X, which)
    assert not len(found.columns)
    assert found.encode(X) is X
    assert not found.mask(2).any()


@pytest.mark.parametrize(
    ("which", "words"),
    [
        ([5], r"holds a number outside 0\.\.2"),
        (["weight"], "names 'weight', which X does not have"),
        ("all", 'must be "from_dtype"'),
        ([True, False], 'must be "from_dtype"'),
    ],
)
def test_misuse_is_named(which, words):
    with pytest.raises(ValueError, match=words):
        Categories.of(FRAME, which)


def test_too_many_categories_are_named():
    X = np.arange(300.0)[:, None]
    with pytest.raises(ValueError, match="column 0 has 300 categories, at most 255"):
        Categories.of(X, [0])
