"""A table of flowers for the commands, and ways to call them."""

import pandas as pd
import pytest
from sklearn.datasets import load_iris

from simplexcoding.cli.application import app, run


@pytest.fixture
def flowers(tmp_path):
    """CSV with four features and the column species."""
    X, y = load_iris(return_X_y=True)
    frame = pd.DataFrame(X, columns=["length", "width", "petal", "sepal"])
    frame["species"] = [("setosa", "versicolor", "virginica")[k] for k in y]
    path = tmp_path / "flowers.csv"
    frame.to_csv(path, index=False)
    return path


@pytest.fixture
def command(capsys):
    """Run a command in this process and return what it printed."""

    def call(*arguments):
        app([str(each) for each in arguments], standalone_mode=False)
        return capsys.readouterr().out

    return call


@pytest.fixture
def outcome(capsys):
    """Run the program in this process; its exit code, output and errors."""

    def call(*arguments):
        with pytest.raises(SystemExit) as exit_:
            run([str(each) for each in arguments])
        printed = capsys.readouterr()
        return exit_.value.code, printed.out, printed.err

    return call
