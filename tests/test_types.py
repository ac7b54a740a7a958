"""What type checkers and editors see of the public names."""

import subprocess
import sys

import pytest

import simplexcoding

# One run of the checker for all: it reads NumPy and scikit-learn first.
CLIENT = """\
from simplexcoding import SimplexRidgeClassifier, SimplexSVC
reveal_type(SimplexRidgeClassifier(kernel="linear", fit_intercept=False))
reveal_type(SimplexSVC(fit_intercept=False))
SimplexRidgeClassifier(kernel="linear", fit_intercept=[])
SimplexSVC(fit_intercept=[])
SimplexRidgeClassifier(kernel="linear", no_such_argument=1)
"""
EXPECTED = {
    2: 'SimplexRidgeClassifier"',
    3: 'SimplexSVC"',
    4: 'error: Argument "fit_intercept"',
    5: 'error: Argument "fit_intercept"',
    6: "error: Unexpected keyword argument",
}


def test_a_client_sees_the_classes_and_its_wrong_arguments(tmp_path):
    pytest.importorskip("mypy", reason="mypy is a tool of developers")
    client = tmp_path / "client.py"
    client.write_text(CLIENT)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), client.name],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    for line, words in EXPECTED.items():
        said = [row for row in done.stdout.splitlines() if row.startswith(f"client.py:{line}:")]
        assert words in said[0]
    assert "Found 3 errors" in done.stdout


def test_every_public_name_can_be_had():
    assert sorted(simplexcoding.__all__) == dir(simplexcoding)
    for name in simplexcoding.__all__:
        assert getattr(simplexcoding, name) is not None
