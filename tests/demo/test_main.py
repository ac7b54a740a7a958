import subprocess
import sys


def test_the_module_is_the_tour():
    line = [sys.executable, "-m", "simplexcoding.demo", "--help"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert "--output" in done.stdout
