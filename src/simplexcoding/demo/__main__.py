"""`python -m simplexcoding.demo --output demo_output` is `simplexcoding demo`."""

from simplexcoding.demo.tour import main

if __name__ == "__main__":
    raise SystemExit(main())
