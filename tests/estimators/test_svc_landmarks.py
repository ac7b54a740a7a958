import numpy as np
import pytest
from sklearn.datasets import make_blobs

from reference.models import each_margin, random_classes
from simplexcoding import SimplexSVC
from simplexcoding.kernels import Kernel
from simplexcoding.losses import get_loss


@each_margin
@pytest.mark.filterwarnings("ignore:half_space with hull=False")
@pytest.mark.parametrize("kernel", ["rbf", "precomputed"])
def test_every_row_a_landmark_is_the_exact_machine(loss, hull, kernel):
    X, y, rng = random_classes(4, n=60)
    w = rng.uniform(0.5, 2, size=60)
    X = Kernel("rbf", 0.3).matrix(X) if kernel == "precomputed" else X
    fit = dict(hull=hull, kernel=kernel, gamma=0.3, C=0.7, tol=1e-11, max_iter=200_000)
    whole = SimplexSVC(loss, landmarks=None, **fit).fit(X, y, w)
    marks = SimplexSVC(loss, landmarks=60, **fit).fit(X, y, w)
    assert marks.landmark_indices_.tolist() == list(range(60))
    assert marks.objective_ == pytest.approx(whole.objective_, rel=1e-10)
    assert np.allclose(marks.decision_function(X), whole.decision_function(X), atol=1e-6)


def test_landmarks_certify_the_function_of_the_projected_kernel():
    X, y = make_blobs(300, centers=4, cluster_std=3.0, random_state=0)
    w = np.ones(300)
    w[::7] = 0
    model = SimplexSVC(landmarks=40, C=1.0, gamma=0.05, fit_intercept=True).fit(X, y, w)
    assert model.dual_coef_.shape == (40, 4) and len(model.landmark_indices_) == 40
    assert (w[model.landmark_indices_] > 0).all()
    K = Kernel("rbf", 0.05).matrix(X, X[model.landmark_indices_])
    scores = model.decision_function(X)
    assert np.allclose(K @ model.dual_coef_ + model.intercept_, scores)
    # ||f||^2 of an expansion on the landmarks, and of the intercept.
    A, b = model.dual_coef_, model.intercept_
    norm = 0.75 * (np.sum(A * (K[model.landmark_indices_] @ A)) + b @ b)
    values = w @ get_loss("cone").value(scores, y)
    assert model.objective_ == pytest.approx(norm / 2 + values, rel=1e-6)
    assert model.duality_gap_ <= 1e-3


def test_landmarks_of_a_precomputed_kernel_with_absent_rows():
    X, y, rng = random_classes(3, n=40)
    w = rng.integers(0, 3, size=40).astype(float)
    K = Kernel("rbf", 0.3).matrix(X)
    fit = dict(landmarks=12, C=1.0, tol=1e-8, max_iter=100_000)
    marks = SimplexSVC(kernel="precomputed", **fit).fit(K, y, w)
    kept = marks.landmark_indices_
    assert (w[kept] > 0).all()
    assert np.allclose(K[:, kept] @ marks.dual_coef_, marks.decision_function(K))
