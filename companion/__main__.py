"""`python -m companion` is `companion`."""

from companion.cli import main

if __name__ == "__main__":
    main()
