"""What type checkers and editors see of the public names."""

import subprocess
import sys

import pytest

import simplexcoding

CLIENT = """
from simplexcoding import {name}

model = {name}({argument})
reveal_type(model)
"""


def mypy(tmp_path, text):
    client = tmp_path / "client.py"
    client.write_text(text)
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--cache-dir", str(tmp_path / "cache"), str(client)],
        capture_output=True,
        text=True,
        cwd=tmp_path,
    )
    return done.stdout


@pytest.mark.parametrize("name", ["SimplexRidgeClassifier", "SimplexSVC"])
def test_a_client_sees_the_class_and_its_wrong_arguments(tmp_path, name):
    pytest.importorskip("mypy", reason="mypy is a tool of developers")
    good = mypy(tmp_path, CLIENT.format(name=name, argument="fit_intercept=False"))
    assert f'{name}"' in good
    assert "error:" not in good
    wrong = mypy(tmp_path, CLIENT.format(name=name, argument="fit_intercept=[]"))
    assert 'Argument "fit_intercept"' in wrong
    unknown = mypy(tmp_path, CLIENT.format(name=name, argument="no_such_argument=1"))
    assert "Unexpected keyword argument" in unknown


def test_every_public_name_can_be_had():
    assert sorted(simplexcoding.__all__) == dir(simplexcoding)
    for name in simplexcoding.__all__:
        assert getattr(simplexcoding, name) is not None
