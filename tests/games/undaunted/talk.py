"""A session over the JSON protocol, as another program would hold it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

ROOT = Path(__file__).parents[3]


class Talk:
    """`companion play undaunted --front json` with all dice and cards told by hand."""

    def __init__(self, data: Path, *options: str) -> None:
        command = [sys.executable, "-m", "companion", "play", "undaunted", "--front", "json"]
        command += ["--dice", "manual", "--cards", "manual", "--seed", "1", "--data", str(data), *options]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        self.ask: dict[str, object] = self._until("ask")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.communicate()

    def _pipe(self, pipe: IO[str] | None) -> IO[str]:
        assert pipe is not None
        return pipe

    def _until(self, *kinds: str) -> dict[str, object]:
        for line in self._pipe(self._process.stdout):
            message: dict[str, object] = json.loads(line)
            assert message["type"] != "error", message
            if message["type"] in kinds:
                return message
        raise AssertionError("the session ended")

    def _send(self, **message: object) -> None:
        stdin = self._pipe(self._process.stdin)
        stdin.write(json.dumps(message) + "\n")
        stdin.flush()

    def answer(self, answer: object = True) -> dict[str, object]:
        """Answer the open ask; the next one."""
        self._send(n=self.ask["n"], answer=answer)
        self.ask = self._until("ask", "end")
        return self.ask

    def override(self, path: str, value: object) -> None:
        """Set a value of the state; the ask is put anew."""
        self._send(override={"path": path, "value": value})
        self.ask = self._until("ask")

    def state(self) -> dict[str, Any]:
        """The whole state, as deep as JSON goes."""
        self._send(state=True)
        state = self._until("state")["state"]
        assert isinstance(state, dict)
        return state

    def ids(self) -> list[str]:
        """The open ask's options."""
        options = self.ask["options"]
        assert isinstance(options, list)
        return [one["id"] for one in options]

    def expect(self, key: str, *words: str) -> None:
        """The open ask has that key and all these words in text, detail and what is told to who asks why."""
        self._send(why=True)
        because = self._until("why").get("because", ())
        said = " | ".join((self.ask["text"], self.ask.get("detail", ""), *because))
        assert self.ask["key"] == f"undaunted.{key}", said
        for word in words:
            assert word in said, said
