from functools import partial

import dask.array as da
import dask.dataframe as dd
import numpy as np
import pandas as pd
import pytest
from dask.base import is_dask_collection
from sklearn.base import clone

from simplexcoding import SimplexRidgeClassifier, SimplexSGDClassifier, SimplexSVC

rng = np.random.default_rng(0)
X = rng.normal(size=(50, 3))
y = rng.choice(["ant", "bee", "cat"], 50)
methods = pytest.mark.parametrize("name", ["predict", "predict_proba", "decision_function"])


def never():
    raise AssertionError("computed too early")


@methods
@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("dtype", [np.float64, np.float32])
def test_arrays_are_answered_lazily_chunk_by_chunk(name, n_classes, dtype):
    rows = X.astype(dtype)
    labels = y if n_classes == 3 else y == "ant"
    model = SimplexRidgeClassifier("linear", alphas=1.0).fit(rows, labels)
    expected = getattr(model, name)(rows)
    found = getattr(model, name)(da.from_array(rows, (20, 3)))
    assert is_dask_collection(found)
    assert found.shape == expected.shape
    assert found.chunks[0] == (20, 20, 10)
    assert found.dtype == expected.dtype
    values = found.compute(scheduler="synchronous")
    assert values.dtype == expected.dtype
    assert np.array_equal(values, expected) or np.allclose(values, expected, rtol=1e-5)


@methods
def test_frames_are_answered_lazily(name):
    frame = pd.DataFrame(X, columns=list("abc"))
    model = SimplexRidgeClassifier("linear", alphas=1.0).fit(frame, y)
    found = getattr(model, name)(dd.from_pandas(frame, npartitions=3))
    assert np.array_equal(found.compute(scheduler="synchronous"), getattr(model, name)(frame))


def test_nothing_is_computed_before_it_is_asked_for():
    from dask import delayed

    model = SimplexRidgeClassifier("linear", alphas=1.0).fit(X, y)
    rows = da.from_delayed(delayed(never)(), (50, 3), float)
    found = model.predict(rows)
    with pytest.raises(AssertionError, match="too early"):
        found.compute(scheduler="synchronous")


def test_other_estimators_predict_lazily_and_refuse_to_fit():
    rows, labels = da.from_array(X, (20, 3)), da.from_array(y, 20)
    model = SimplexSGDClassifier(random_state=0).fit(X, y)
    assert np.array_equal(model.predict(rows).compute(scheduler="synchronous"), model.predict(X))
    for estimator in (SimplexSGDClassifier(), SimplexSVC(), SimplexRidgeClassifier("linear", cv=3)):
        with pytest.raises((TypeError, ValueError), match=r"Dask|cv must be None") as caught:
            estimator.fit(rows, labels)
        assert "\n" not in str(caught.value)


def test_updates_refuse_collections_in_one_line():
    """They would be computed whole on the client: `never` tells."""
    from dask import delayed
    from simplexcoding.blocks import from_arrays, from_dask

    rows, labels = da.from_delayed(delayed(never)(), X.shape, float), da.from_array(y, 20)
    linear = SimplexRidgeClassifier("linear", alphas=1.0)
    blocks, whole = clone(linear).fit_blocks(from_arrays(X, y)), clone(linear).fit(X, y)
    calls = [
        *(partial(each, rows, labels) for each in (blocks.partial_fit, blocks.forget)),
        partial(blocks.partial_fit, X, y, sample_weight=labels),
        partial(whole.partial_fit, rows, labels),
        partial(whole.forget, labels),
        partial(linear.partial_fit, rows, labels),
        partial(SimplexSGDClassifier().partial_fit, rows, labels),
        partial(SimplexSGDClassifier().partial_fit, X, labels),
        partial(SimplexSGDClassifier().fit, X, y, sample_weight=labels),
        partial(blocks.fit_blocks, rows),
    ]
    for call in calls:
        with pytest.raises(TypeError, match=r"use (X.compute\(\)|from_dask\(X, y\))") as caught:
            call()
        assert "\n" not in str(caught.value)
    # Chunk by chunk they are read all the same.
    source = from_dask(da.from_array(X, (20, 3)), labels)
    assert SimplexSGDClassifier(random_state=0).fit_blocks(source).t_ == len(X)


def test_chunks_along_columns_are_refused():
    model = SimplexRidgeClassifier("linear", alphas=1.0).fit(X, y)
    with pytest.raises(ValueError, match=r"along its columns; use X.rechunk"):
        model.predict(da.from_array(X, (20, 2)))
    with pytest.raises(TypeError, match="takes no Dask collections"):
        model.predict_set(da.from_array(X, (20, 3)))
