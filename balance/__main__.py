"""`python -m balance`, and the command `balance`."""

from balance.cli import main

if __name__ == "__main__":
    main()
