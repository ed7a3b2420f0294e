"""`python -m tellegen`: the command line."""

from tellegen.cli.app import main

if __name__ == "__main__":
    main()
