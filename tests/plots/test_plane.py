import builtins

import numpy as np
import pytest

from simplexcoding.coding import SimplexCode
from simplexcoding.plots.plane import grid, import_pyplot, vertices


def test_vertices_are_a_simplex_code_with_class_0_on_top():
    V, C = vertices(), SimplexCode(3).codewords
    np.testing.assert_allclose(V @ V.T, C @ C.T, atol=1e-12)
    np.testing.assert_allclose(V[0], [0, 1], atol=1e-12)


def test_grid_scores_sum_to_zero_and_follow_the_points():
    X, Y, S = grid(2.0, 5)
    assert X.shape == Y.shape == (5, 5) and S.shape == (25, 3)
    np.testing.assert_allclose(S.sum(axis=1), 0, atol=1e-12)
    np.testing.assert_allclose(S[:, 0], Y.ravel(), atol=1e-12)


def test_without_matplotlib_the_error_says_what_to_install(monkeypatch):
    real = builtins.__import__

    def absent(name, *rest, **named):
        if name.startswith("matplotlib"):
            raise ImportError(name)
        return real(name, *rest, **named)

    monkeypatch.setattr(builtins, "__import__", absent)
    with pytest.raises(ImportError, match=r"pip install simplexcoding\[plots\]"):
        import_pyplot()
