import numpy as np
import pytest

from simplexcoding.solvers.splitting.acceleration import Acceleration


def linear_map(n=12, seed=0):
    """Residual F(H) = A H + B - H of an averaged map with a slow direction, and its fixed point."""
    rng = np.random.default_rng(seed)
    U, _ = np.linalg.qr(rng.normal(size=(n, n)))
    A = U @ np.diag(np.linspace(0, 0.999, n)) @ U.T
    B = rng.normal(size=(n, 2))
    return lambda H: A @ H + B - H, np.linalg.solve(np.eye(n) - A, B)


def slow_twin(points, residuals, memory):
    """Type-II step from the whole history, by least squares on the last differences."""
    H, F = (np.array([v.ravel() for v in some[-memory - 1 :]]) for some in (points, residuals))
    dH, dF = np.diff(H, axis=0).T, np.diff(F, axis=0).T
    gamma = np.linalg.lstsq(dF, F[-1], rcond=None)[0]
    return (H[-1] + F[-1] - (dH + dF) @ gamma).reshape(points[-1].shape)


@pytest.mark.parametrize("memory", [1, 3])
def test_a_step_is_the_least_squares_step_of_the_last_differences(memory):
    residual, _ = linear_map()
    acceleration = Acceleration(memory)
    points, residuals = [np.zeros((12, 2))], []
    for k in range(8):
        residuals.append(residual(points[-1]))
        points.append(acceleration.step(points[-1], residuals[-1]))
        if k:
            expected = slow_twin(points[:-1], residuals, memory)
            assert np.allclose(points[-1], expected, rtol=1e-4, atol=1e-4)


def test_a_linear_map_is_at_its_fixed_point_after_few_steps():
    residual, _ = linear_map()
    acceleration, H, plain = Acceleration(), np.zeros((12, 2)), np.zeros((12, 2))
    for _ in range(40):
        H = acceleration.step(H, residual(H))
        plain = plain + residual(plain)
    assert np.linalg.norm(residual(H)) < 1e-3 * np.linalg.norm(residual(plain))


def test_a_residual_that_grows_makes_it_forget():
    acceleration = Acceleration()
    H = np.zeros((3, 2))
    for F in (np.ones((3, 2)), 0.5 * np.ones((3, 2))):
        H = acceleration.step(H, F)
    astray = np.arange(6.0).reshape(3, 2)
    assert np.array_equal(acceleration.step(H, astray), H + astray)


def test_what_is_forgotten_has_no_say():
    rng = np.random.default_rng(0)
    acceleration, fresh = Acceleration(), Acceleration()
    for _ in range(5):
        acceleration.step(*rng.normal(size=(2, 4, 2)))
    acceleration.forget()
    for _ in range(3):
        H, F = rng.normal(size=(2, 4, 2))
        assert np.array_equal(acceleration.step(H, F), fresh.step(H, F))


def test_little_room_remembers_fewer_steps():
    residual, _ = linear_map()
    # 12 x 2 float64 take 192 bytes, two of them a step.
    few, cramped, no_room = Acceleration(3), Acceleration(10, 3 * 2 * 192), Acceleration(10, 0)
    pair = Acceleration(2)
    H = np.zeros((12, 2))
    for _ in range(8):
        F = residual(H)
        following = few.step(H, F)
        assert np.array_equal(cramped.step(H, F), following)
        assert np.array_equal(no_room.step(H, F), pair.step(H, F))
        H = following


def test_each_step_astray_is_followed_by_twice_as_many_plain_ones():
    """Residuals that double and double again cannot keep it from the plain iteration."""
    rng = np.random.default_rng(0)
    acceleration = Acceleration()
    H, plain = np.zeros((6, 2)), []
    for size in np.tile([1.0, 1.1, 1.2, 5.0], 40):
        F = size * rng.standard_normal((6, 2))
        F /= np.linalg.norm(F) / size
        following = acceleration.step(H, F)
        plain.append(np.array_equal(following, H + F))
        H = following
    astray = np.mean(plain[:16]), np.mean(plain[-80:])
    assert astray[0] < astray[1] == 1.0
