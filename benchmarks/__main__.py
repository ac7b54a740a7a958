"""Run the benchmarks: python -m benchmarks [--only NAME ...] [--quick] [--output FILE]."""

import argparse
from pathlib import Path

import benchmarks.problems  # noqa: F401  fills PROBLEMS
from benchmarks.harness import PROBLEMS, measure
from benchmarks.report import section, update

RESULTS = Path(__file__).with_name("results.md")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--only", nargs="+", choices=PROBLEMS, metavar="NAME", default=[*PROBLEMS])
    parser.add_argument("--list", action="store_true", help="list the problems and stop")
    parser.add_argument("--quick", action="store_true", help="small sizes, two turns")
    parser.add_argument(
        "--output",
        type=Path,
        help="file to update; benchmarks/results.md, or none with --quick, by default",
    )
    options = parser.parse_args()
    if options.list:
        for problem in PROBLEMS.values():
            print(f"{problem.name:20} {problem.title}")
        return
    output = options.output or (None if options.quick else RESULTS)
    for name in options.only:
        text = section(measure(PROBLEMS[name], options.quick), options.quick)
        print(f"## {name}\n\n{text}\n", flush=True)
        # Written after each problem: a later failure loses nothing.
        if output is not None:
            update(output, {name: text}, [*PROBLEMS])


if __name__ == "__main__":
    main()
