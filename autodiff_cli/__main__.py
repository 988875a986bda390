"""`python -m autodiff_cli` is `autodiff`: both begin with `main`."""

import signal


def main() -> None:
    """Run the command line of this process and exit; an interrupt while it is loaded ends it without a traceback."""
    raises = signal.getsignal(signal.SIGINT) is signal.default_int_handler  # elsewhere interrupts are ignored
    if raises:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main as run

    if raises:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    run()


if __name__ == "__main__":  # a process that it starts for a cluster imports this too
    main()
