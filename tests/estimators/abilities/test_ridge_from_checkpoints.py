import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_arrays
from simplexcoding.passes import knowledge
from simplexcoding.passes.gather import Gather
from simplexcoding.passes.judge import Judge

rng = np.random.default_rng(0)
y = rng.choice(["ant", "bee", "cat", "dog"], 240)
X = rng.normal(size=(4, 5))[np.unique(y, return_inverse=True)[1]] * 0.8
X += rng.normal(size=(240, 5)) + 2


def linear(**options):
    return SimplexRidgeClassifier("linear", **options)


CHILD = """
import sys, time
import numpy as np
from simplexcoding import SimplexRidgeClassifier
from simplexcoding.blocks import from_loader
from simplexcoding.passes import checkpoint, knowledge
checkpoint.INTERVAL, knowledge.SAMPLE_ROWS = 0.0, 60
X, y = (np.load(f"{sys.argv[1]}/{name}.npy") for name in "Xy")

class Slow:
    def __iter__(self):
        for k in range(0, 240, 20):
            time.sleep(float(sys.argv[2]))
            yield X[k : k + 20], y[k : k + 20]

model = SimplexRidgeClassifier("linear").fit_blocks(Slow(), checkpoint=sys.argv[1] + "/saved")
np.savez(sys.argv[1] + "/model.npz", model.coef_, model.intercept_, model.path_.score)
"""


@pytest.mark.parametrize("stage", ["moments", "judge"])
def test_killed_and_started_again_it_ends_with_the_same_bits(stage, tmp_path):
    np.save(tmp_path / "X.npy", X)
    np.save(tmp_path / "y.npy", y)
    environment = {**os.environ, "OMP_NUM_THREADS": "1"}

    def command(pause):
        return [sys.executable, "-c", CHILD, str(tmp_path), str(pause)]

    child = subprocess.Popen(command(0.1), env=environment)
    deadline = time.monotonic() + 60
    saved = tmp_path / "saved" / f"{stage}.pass"
    while not saved.exists():
        assert time.monotonic() < deadline
        assert child.poll() is None
        time.sleep(0.02)
    child.send_signal(signal.SIGKILL)
    child.wait(10)
    assert not (tmp_path / "model.npz").exists()
    subprocess.run(command(0), env=environment, check=True, timeout=60)
    resumed = np.load(tmp_path / "model.npz")
    assert not list((tmp_path / "saved").iterdir())
    subprocess.run(command(0), env=environment, check=True, timeout=60)
    straight = np.load(tmp_path / "model.npz")
    assert all(np.array_equal(resumed[name], straight[name]) for name in straight.files)


def half_done(model, blocks, folder):
    """A fit that is killed in its second pass."""

    def killed(*_):
        raise KeyboardInterrupt

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "SAMPLE_ROWS", 60)
        patch.setattr(Judge, "__call__", killed)
        with pytest.raises(KeyboardInterrupt):
            model.fit_blocks(blocks, checkpoint=folder)
    assert list(folder.glob("*.pass"))


alphas = np.geomspace(1e3, 1e-3, 60)
other = np.where(np.arange(60) == 30, 1.01 * alphas, alphas)


@pytest.mark.parametrize(
    ("model", "blocks"),
    [
        (linear(alphas=alphas), from_arrays(100 * X, y, rows=50)),
        (linear(alphas=alphas), from_arrays(X, np.roll(y, 1), rows=50)),
        (linear(alphas=alphas), from_arrays(X, y, 2 * np.ones(240), rows=50)),
        (linear(alphas=alphas), from_arrays(X, y, rows=60)),
        (linear(alphas=alphas), from_arrays(csr_matrix(X), y, rows=50)),
        (linear(alphas=other), from_arrays(X, y, rows=50)),
        (linear(alphas=list(alphas[1:])), from_arrays(X, y, rows=50)),
        (linear(alphas=alphas, random_state=1), from_arrays(X, y, rows=50)),
    ],
    ids=["rows", "labels", "weights", "cutting", "sparse", "one alpha", "fewer alphas", "seed"],
)
def test_the_checkpoint_of_another_fit_is_refused(model, blocks, tmp_path):
    half_done(linear(alphas=alphas), from_arrays(X, y, rows=50), tmp_path)
    with pytest.raises(ValueError, match="is of another fit"):
        model.fit_blocks(blocks, checkpoint=tmp_path)


def test_a_checkpoint_of_the_same_fit_goes_on_and_of_another_version_does_not(
    tmp_path, monkeypatch
):
    monkeypatch.setattr(knowledge, "SAMPLE_ROWS", 60)
    half_done(linear(alphas=alphas), from_arrays(X, y, rows=50), tmp_path)
    monkeypatch.setattr("simplexcoding.__version__", "another")
    with pytest.raises(ValueError, match="is of another fit"):
        linear(alphas=alphas).fit_blocks(from_arrays(X, y, rows=50), checkpoint=tmp_path)
    monkeypatch.undo()
    found = linear(alphas=alphas.copy(), verbose=False)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(knowledge, "SAMPLE_ROWS", 60)
        patch.setattr(Gather, "__call__", None)
        found.fit_blocks(from_arrays(X.copy(), y, rows=50), checkpoint=tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_file_that_was_written_to_is_another(tmp_path):
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    half_done(linear(), from_arrays(mapped, y, rows=50), tmp_path / "saved")
    changed = X.copy()
    changed[120] = 0
    np.save(tmp_path / "X.npy", changed)
    with pytest.raises(ValueError, match="is of another fit"):
        linear().fit_blocks(
            from_arrays(np.load(tmp_path / "X.npy", mmap_mode="r"), y, rows=50),
            checkpoint=tmp_path / "saved",
        )


def test_what_cannot_be_told_from_another_takes_no_checkpoint(tmp_path):
    with pytest.raises(ValueError, match="random_state must be an integer with a checkpoint"):
        linear(random_state=None).fit_blocks([(X, y)], checkpoint=tmp_path)
    with pytest.raises(ValueError, match="can be read only once, which a fit"):
        linear().fit_blocks(iter([(X, y)]), passes=1, checkpoint=tmp_path)
