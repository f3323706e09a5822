"""A program that sits at the table: plays a whole game through the JSON protocol, dice and cards its own."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from random import Random

Message = dict[str, object]
ROOT = Path(__file__).parents[2]


def own_answer(ask: Message, rng: Random) -> object:
    """Dice thrown and cards drawn here; decisions at random."""
    options = [one["id"] for one in ask.get("options", [])]
    match ask["kind"]:
        case "show":
            return True
        case "choose":
            return rng.choice(options)
        case "pick":
            count = rng.randint(ask["least"], min(ask["most"], len(options)))
            return rng.sample(options, count)
        case "number":
            return rng.randint(ask["least"], ask["most"])
        case "roll":
            return [rng.choice(dice["faces"]) for dice in ask["dice"] for _ in range(dice["count"])]
        case "draw":
            deck = [one["id"] for one in ask["options"] for _ in range(one.get("copies", 1))]
            return rng.sample(deck, ask["count"])
    raise AssertionError(f"unknown kind of ask: {ask}")


class Program:
    """`companion play GAME --front json` as a child process, spoken to line by line."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.messages: list[Message] = []
        self._process = subprocess.Popen(
            [sys.executable, "-m", "companion", *arguments, "--front", "json", "--data", str(data)],
            cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def hear(self) -> Message:
        line = self._process.stdout.readline()
        message: Message = json.loads(line) if line else {"type": "gone"}
        self.messages.append(message)
        return message

    def hear_until(self, *kinds: str) -> Message:
        while (message := self.hear())["type"] not in (*kinds, "gone"):
            pass
        return message

    def say(self, message: Message) -> None:
        self._process.stdin.write(json.dumps(message) + "\n")
        self._process.stdin.flush()

    def of(self, kind: str) -> list[Message]:
        return [one for one in self.messages if one["type"] == kind]

    def play_out(self, rng: Random, most: int = 5000) -> Message:
        """Answer everything until the end; the end message."""
        for _ in range(most):
            message = self.hear_until("ask", "end", "error")
            assert message["type"] != "error", message
            if message["type"] != "ask":
                return message
            self.say({"n": message["n"], "answer": own_answer(message, rng)})
        raise AssertionError("no end")

    def kill(self) -> None:
        self._process.kill()
        self.leave()

    def leave(self) -> int:
        self._process.stdin.close()
        code = self._process.wait(timeout=30)
        self._process.stdout.close()
        return code
