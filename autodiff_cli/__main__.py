"""`python -m autodiff_cli` is `autodiff`."""

from .cli import main

main()
