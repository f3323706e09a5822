"""`companion`, which `python -m companion` is too."""

from __future__ import annotations

import signal
import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is loaded or after its work ends it without a word."""
    handler = signal.getsignal(signal.SIGINT)  # ignored, as in the background of some shells, it stays so
    if handler is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from companion.cli import main as run

    signal.signal(signal.SIGINT, handler)
    try:
        run()
    except KeyboardInterrupt:  # a second one, while the first is being heard
        sys.exit(130)
    finally:
        if handler is signal.default_int_handler:
            signal.signal(signal.SIGINT, signal.SIG_DFL)


if __name__ == "__main__":
    main()
