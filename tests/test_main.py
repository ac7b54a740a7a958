import subprocess
import sys

import simplexcoding


def test_the_module_is_the_program():
    line = [sys.executable, "-m", "simplexcoding", "--version"]
    done = subprocess.run(line, capture_output=True, text=True, check=True)
    assert done.stdout == f"simplexcoding {simplexcoding.__version__}\n"
