"""Command groups whose commands are imported when they are called, not when help lists them."""

from __future__ import annotations

from importlib import import_module

import click


class LazyGroup(click.Group):
    """A group with more commands than are imported.

    `elsewhere` maps a command's name to `module:attribute` and its line in the group's help.
    """

    def __init__(self, *, elsewhere: dict[str, tuple[str, str]], **attrs: object) -> None:
        super().__init__(**attrs)  # type: ignore[arg-type]  # click's own keywords
        self._elsewhere = elsewhere

    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*super().list_commands(ctx), *self._elsewhere]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self._elsewhere:
            return super().get_command(ctx, cmd_name)
        module, _, name = self._elsewhere[cmd_name][0].partition(":")
        command: click.Command = getattr(import_module(f"companion.cli.{module}"), name)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from difflib import get_close_matches

            alike = get_close_matches(args[0], self.list_commands(ctx), n=1)
            if not alike:
                raise
            raise click.UsageError(f"no command {args[0]!r}; did you mean {alike[0]!r}?", ctx) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        rows = [(name, self.commands[name].get_short_help_str(60)) for name in super().list_commands(ctx)]
        rows += [(name, text) for name, (_, text) in self._elsewhere.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)
