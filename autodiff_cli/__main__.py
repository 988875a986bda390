"""`python -m autodiff_cli` is `autodiff`."""

from .cli import main

if __name__ == "__main__":  # a process that it starts for a cluster imports this too
    main()
