import os
import subprocess
import sys

import pytest

import simplexcoding
from simplexcoding.cli.application import app, run
from simplexcoding.datasets import DataError

COMMANDS = ("fit", "predict", "path", "audit", "info", "demo", "reproduce")


def outcome(capsys, *arguments):
    with pytest.raises(SystemExit) as exit_:
        run([str(each) for each in arguments])
    printed = capsys.readouterr()
    return exit_.value.code, printed.out, printed.err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(capsys, command):
    code, out, _ = outcome(capsys, command, "--help")
    assert code == 0
    assert f"Example: simplexcoding {command}" in " ".join(out.split())


def test_the_commands_are_these(capsys):
    assert [each.callback.__name__ for each in app.registered_commands] == list(COMMANDS)
    assert outcome(capsys, "--version")[1] == f"simplexcoding {simplexcoding.__version__}\n"


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["info", "absent"], "absent: no such file."),
        (["fit", "absent.csv", "-t", "y", "-o", "m"], "absent.csv: no such file."),
        (["fit", "absent.csv", "-t", "y", "-o", "m", "--loss", "l"], "--loss l: unknown"),
        (["predict", "absent", "absent.csv", "-o", "out.txt"], "out.txt: unknown ending '.txt'"),
        (["path", "absent.csv", "-t", "y", "-o", "out.gif"], "out.gif: unknown ending '.gif'"),
        (["reproduce", "--datasets", "mnist"], "'mnist' is unknown; choose among landsat"),
        (["reproduce", "--methods", "svm"], "'svm' is unknown; choose among sc_online"),
        (["reproduce", "--quick", "--features", "odd"], "'odd' is unknown; choose among raw"),
        (["reproduce", "--data", "absent", "--datasets", "letter"], "absent is no folder"),
    ],
)
def test_mistakes_are_one_line_and_exit_code_2(capsys, tmp_path, monkeypatch, arguments, text):
    monkeypatch.chdir(tmp_path)
    code, _, err = outcome(capsys, *arguments)
    assert code == 2
    assert err.count("\n") == 1 and err.startswith("simplexcoding: ") and text in err
    assert not any(tmp_path.iterdir())


def test_trouble_with_data_is_told_like_other_mistakes(capsys, monkeypatch):
    import simplexcoding.cli.application as application

    def fail(_):
        raise DataError("letter is gone.")

    monkeypatch.setattr(application, "app", fail)
    assert outcome(capsys)[::2] == (2, "simplexcoding: letter is gone.\n")


def test_without_the_extra_one_line_says_what_to_install(tmp_path):
    for name in ("typer", "rich"):
        code = (
            "import sys, importlib.util as u; real = u.find_spec;"
            f"u.find_spec = lambda n, *a: None if n == {name!r} else real(n, *a);"
            "import simplexcoding.cli as c; c.main()"
        )
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert done.returncode == 2 and "Traceback" not in done.stderr
        assert done.stderr.count("\n") == 1
        assert "pip install simplexcoding[cli]" in done.stderr


def test_the_entry_point_answers():
    environment = {**os.environ, "COLUMNS": "80"}
    program = "from simplexcoding.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", program, "--version"],
        capture_output=True,
        text=True,
        env=environment,
        check=True,
    )
    assert done.stdout.startswith("simplexcoding ")
