import os
import signal
import subprocess
import sys
import time

import pytest

from simplexcoding.experiments.workers import outcomes


def alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A child that nobody has waited for is dead, though it has a number.
    with open(f"/proc/{pid}/stat") as stream:
        return stream.read().rsplit(")", 1)[1].split()[0] != "Z"


def until_dead(pids, seconds=30):
    end = time.monotonic() + seconds
    while any(alive(pid) for pid in pids) and time.monotonic() < end:
        time.sleep(0.05)
    return not any(alive(pid) for pid in pids)


def test_every_item_has_its_result():
    assert sorted(outcomes(abs, [-1, -2, -3], 2)) == [1, 2, 3]


def test_an_error_comes_out_and_stops_the_rest():
    with pytest.raises(TypeError):
        list(outcomes(abs, ["a", *range(100)], 1))


def test_a_generator_that_is_closed_leaves_no_worker():
    from multiprocessing import active_children

    found = outcomes(time.sleep, [0, 600, 600], 2)
    next(found)
    workers = [worker.pid for worker in active_children()]
    found.close()
    assert workers and until_dead(workers)


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="workers are looked for in /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_workers_end_with_their_parent(number, tmp_path):
    program = tmp_path / "parent.py"
    program.write_text(
        "import os, signal, time\n"
        "from contextlib import closing\n"
        "from multiprocessing import active_children\n"
        "from simplexcoding.experiments.workers import outcomes\n"
        "if __name__ == '__main__':\n"
        # A shell's background job inherits SIGINT as ignored.
        "    signal.signal(signal.SIGINT, signal.default_int_handler)\n"
        "    with closing(outcomes(time.sleep, [0, 0, 600, 600], 2)) as found:\n"
        "        next(found), next(found)\n"
        "        print(*(worker.pid for worker in active_children()), flush=True)\n"
        "        next(found)\n"
    )
    parent = subprocess.Popen(
        [sys.executable, program], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    workers = [int(word) for word in parent.stdout.readline().split()]
    parent.send_signal(number)
    parent.wait(60)
    parent.stdout.close()
    assert workers and until_dead(workers)
