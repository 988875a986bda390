"""`python -m autodiff_cli` is `autodiff`: both begin with `main`."""

import signal


def main() -> None:
    """Run the command line of this process and exit; an interrupt while it is loaded ends it without a traceback."""
    interrupted = signal.getsignal(signal.SIGINT)
    if interrupted is signal.default_int_handler:  # which raises KeyboardInterrupt; elsewhere interrupts are ignored
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .cli import main as run

    signal.signal(signal.SIGINT, interrupted)
    run()


if __name__ == "__main__":  # a process that it starts for a cluster imports this too
    main()
