import numpy as np
import pytest

from export.test_scores import run
from simplexcoding.export.graph import Graph
from simplexcoding.export.probabilities import decisions, probabilities
from simplexcoding.inference.calibration import Temperature, Uncalibrated, Vector

rng = np.random.default_rng(0)
S = rng.standard_normal((50, 4))
S = (S - S.mean(axis=1, keepdims=True)).astype(np.float32)


@pytest.mark.parametrize(
    "calibration",
    [
        Temperature(7.5),
        Vector(rng.uniform(0.5, 9, 4), rng.standard_normal(4)),
        Uncalibrated(),
    ],
    ids=lambda calibration: calibration.name,
)
def test_calibrations_give_the_same_probabilities_and_decisions(calibration):
    found = run(lambda graph, u: probabilities(calibration, graph, u, 4), S)
    assert np.allclose(found, calibration.probabilities(S.astype(float)), atol=1e-6)
    found = run(lambda graph, u: decisions(calibration, graph, u), S)
    assert np.allclose(found, calibration.decisions(S.astype(float)), atol=1e-5)


def test_a_calibration_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="type object"):
        probabilities(object(), Graph(), "u", 4)
