"""`python -m tellegen`: the command line."""

from tellegen.cli import main

if __name__ == "__main__":
    main()
