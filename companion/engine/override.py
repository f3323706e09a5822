"""Setting any value of a game's state by hand, checked against the state's own types.

A path is what one reads in the state's JSON: `health`, `enemies.2.damage`, `tokens.sandbag`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from itertools import takewhile
from types import UnionType
from typing import Union, get_args, get_origin, get_type_hints

import msgspec

from companion.engine.errors import BadAnswer
from companion.engine.misfit import misfit
from companion.wording import plain_throughout

_DIGITS = 10
"""More than the number of a place in any list has; Python itself refuses to read very long ones."""

_LONGEST = 40
"""Characters of a value in words."""

_MOST_TOLD = 6
"""Differences in words, and reasons why something can't be."""


def assign(state: msgspec.Struct, path: str, value: object) -> Callable[[], None]:
    """Set the value at `path`, which may come from anybody; returns what takes it back.

    Raises `BadAnswer` if path or value don't fit.
    """
    *parents, last = path.split(".")
    holder: object = state
    hint: object = type(state)
    for name in parents:
        holder, hint = _step(holder, hint, name, path)
    old, hint = _step(holder, hint, last, path)
    try:
        new = msgspec.convert(plain_throughout(value), hint)
    except msgspec.ValidationError as error:
        message, inner = misfit(error, hint)
        raise BadAnswer(f"{path}{inner}: {message}") from error
    except RecursionError as error:
        raise BadAnswer(f"{path}: {error}") from error
    steps: list[Callable[[], None]] = [partial(_put, holder, last, old, path)]
    _put(holder, last, new, path)  # refused before anything has changed, where it can't be
    _put(holder, last, _renewed(old, new, steps), path)

    def take_back() -> None:
        for step in reversed(steps):
            step()

    return take_back


def refusal(changes: Mapping[str, object], problems: Sequence[str]) -> str:
    """Why values can't be what somebody sets; of long ones, and of much that is wrong, only the beginning."""
    wished = " and ".join(f"{path} = {_shortened(value)}" for path, value in changes.items())
    more = f" and {len(problems) - _MOST_TOLD} more" if len(problems) > _MOST_TOLD else ""
    return f"{wished} can't be: {'; '.join(problems[:_MOST_TOLD])}{more}"


def stumble(error: Exception) -> str:
    """What a game's own code tripped over in values that no table has."""
    return f"the game can't make sense of it ({type(error).__name__}: {error})"


def in_words(old: Mapping[str, object], new: Mapping[str, object]) -> str:
    """What became of the values at some paths, of long ones only what differs; the path of one is known."""
    found = [one for path in new for one in _differing(path, old[path], new[path])]
    said = [words if [path] == [*new] else f"{path} {words}" for path, words in found[:_MOST_TOLD]]
    return ", ".join(said) + (f" and {len(found) - _MOST_TOLD} more" if len(found) > _MOST_TOLD else "")


def _differing(path: str, old: object, new: object) -> Iterator[tuple[str, str]]:
    """What differs in two values, with the paths of it."""
    is_long = max(len(repr(old)), len(repr(new))) > _LONGEST and old != new
    here, there = (_contents(one) if isinstance(one, dict | list) else {} for one in (old, new))
    if is_long and here and here.keys() == there.keys():
        for key, value in here.items():
            if value != there[key]:
                yield from _differing(f"{path}.{key}", value, there[key])
    elif is_long and isinstance(old, list) and isinstance(new, list):
        first = _alike(old, new)
        last = _alike(reversed(old[first:]), reversed(new[first:]))
        parts = [_shortened(one[first : len(one) - last], first, last) for one in (old, new)]
        yield path, " -> ".join(parts)
    else:
        yield path, f"{_shortened(old)} -> {_shortened(new)}"


def _shortened(value: object, first: int = 0, last: int = 0) -> str:
    """A value as it is written, cut where it is long; of a list there may be more at either end."""
    text = repr(value)
    text = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
    if not (first or last):
        return text
    return f"[{'..., ' * bool(first)}{text[1:-1]}{', ...' * bool(last)}]" if value else "[...]"


def _alike(one: Iterable[object], other: Iterable[object]) -> int:
    """How many things two lists begin with alike."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))


def value_at(state: msgspec.Struct, path: str) -> object:
    """The value at `path`, as JSON has it; `BadAnswer` with the names there are if it leads nowhere."""
    return msgspec.to_builtins(_at(state, path), str_keys=True)


def must_be_known(state: msgspec.Struct, path: str, value: object) -> None:
    """`BadAnswer` if the value that was set at `path` has a name in it that the state doesn't know."""
    for wrong in _unknown(value, _at(state, path)):
        raise BadAnswer(f"{path}: {wrong}")


def _unknown(value: object, became: object) -> Iterator[str]:
    """The names in a value that what it became has no place for, in words."""
    if not (isinstance(value, dict | list) and isinstance(became, dict | list | msgspec.Struct)):
        return
    if isinstance(value, dict) and isinstance(became, msgspec.Struct):
        names = became.__struct_fields__
        known = {*names, became.__struct_config__.tag_field}
        yield from (f"there is no {name}, only: {', '.join(names)}" for name in value if name not in known)
        pairs = [(value[name], getattr(became, name)) for name in names if name in value]
    else:
        pairs = [*zip(_contents(value).values(), _contents(became).values(), strict=False)]
    for one, its in pairs:
        yield from _unknown(one, its)


def _at(state: msgspec.Struct, path: str) -> object:
    if not path:
        raise BadAnswer("no path is named, such as health")
    holder: object = state
    hint: object = type(state)
    for name in path.split("."):
        holder, hint = _step(holder, hint, name, path)
    return holder


def _step(holder: object, hint: object, name: str, path: str) -> tuple[object, object]:
    """The thing called `name` in `holder`, and its type."""
    if isinstance(holder, msgspec.Struct):
        names = holder.__struct_fields__
        if name in names:
            return getattr(holder, name), _hints(type(holder))[name]
        raise BadAnswer(f"{path}: there is no {name}, only: {', '.join(names)}")
    if isinstance(holder, dict):
        key = next((key for key in holder if str(key) == name), None)
        if key is not None:
            return holder[key], _inner(hint, dict)[1]
        raise BadAnswer(f"{path}: there is no {name}, only: {', '.join(map(str, holder)) or 'nothing'}")
    if isinstance(holder, list):
        if name.isdecimal() and len(name) < _DIGITS and int(name) < len(holder):
            return holder[int(name)], _inner(hint, list)[0]
        last = f" to {len(holder) - 1}" if len(holder) > 1 else ""
        there = f"0{last}" if holder else "an empty list, to be set as a whole"
        raise BadAnswer(f"{path}: there is no {name}, only {there}")
    raise BadAnswer(f"{path}: {name} is not inside anything; set the whole value")


@cache  # annotations are text, and to evaluate those of a large struct takes milliseconds
def _hints(kind: type[msgspec.Struct]) -> dict[str, object]:
    return get_type_hints(kind)


def _inner(hint: object, kind: type) -> tuple[object, ...]:
    """The type arguments of the `kind` in a hint that may be optional."""
    if get_origin(hint) in (Union, UnionType):
        hint = next(one for one in get_args(hint) if get_origin(one) is kind)
    return get_args(hint)


def _put(holder: object, name: str, value: object, path: str) -> None:
    if isinstance(holder, msgspec.Struct):
        try:
            setattr(holder, name, value)
        except AttributeError:
            raise BadAnswer(f"{path}: can't be set alone; set what holds it") from None
    elif isinstance(holder, dict):
        holder[next(key for key in holder if str(key) == name)] = value
    elif isinstance(holder, list):
        holder[int(name)] = value


def _renewed(old: object, new: object, steps: list[Callable[[], None]]) -> object:
    """The old thing with the new contents, where it can have them: a script in the middle may hold it.

    `steps` get what takes it back, the last one first.
    """
    if type(old) is not type(new) or not _changeable(old):
        return new
    steps.append(partial(_fill, old, _contents(old)))
    before = _lined_up(old, new) if isinstance(old, list) and isinstance(new, list) else _contents(old)
    _fill(old, {key: _renewed(before.get(key), value, steps) for key, value in _contents(new).items()})
    return old


def _lined_up(old: list[object], new: list[object]) -> dict[object, object]:
    """The old things by their places in the new list; those at its end stay what they are if others go."""
    same = _alike(reversed(old), reversed(new))
    first, last = old[: len(old) - same], old[len(old) - same :]
    return {**dict(enumerate(first)), **dict(enumerate(last, start=len(new) - same))}


def _changeable(thing: object) -> bool:
    return isinstance(thing, dict | list) or (
        isinstance(thing, msgspec.Struct) and not thing.__struct_config__.frozen
    )


def _contents(thing: object) -> dict[object, object]:
    if isinstance(thing, dict):
        return dict(thing)
    if isinstance(thing, list):
        return dict(enumerate(thing))
    assert isinstance(thing, msgspec.Struct)
    return {name: getattr(thing, name) for name in thing.__struct_fields__}


def _fill(thing: object, contents: dict[object, object]) -> None:
    if isinstance(thing, dict):
        thing.clear()
        thing.update(contents)
    elif isinstance(thing, list):
        thing[:] = contents.values()
    else:
        for name, value in contents.items():
            setattr(thing, str(name), value)
