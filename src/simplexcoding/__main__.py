"""`python -m simplexcoding` is the command line."""

from simplexcoding.cli import main

if __name__ == "__main__":
    main()
