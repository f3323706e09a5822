"""The command line: one file a command, imported only when it is called."""


def main() -> None:
    raise SystemExit("nothing to play yet")
