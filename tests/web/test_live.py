"""The stream of a table: at once, to everybody, and hardly a burden."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import msgspec
import pytest

from companion.web.access import Role
from companion.web.house import House
from companion.web.live import BEAT, HEARTBEAT, Frame, Live


def as_actor() -> Role:
    return Role.ACT


async def next_frame(stream: AsyncIterator[bytes]) -> Frame:
    async for chunk in stream:
        if chunk.startswith(b"data: "):
            return msgspec.convert(json.loads(chunk[6:]), Frame)
    raise AssertionError("the stream has ended")


@pytest.mark.parametrize("role", [Role.WATCH, Role.ACT])
def test_a_stream_begins_with_the_table_as_it_is(live: Live, role: Role) -> None:
    async def watch() -> Frame:
        return await next_frame(live.stream(lambda: role))

    frame = asyncio.run(watch())
    assert frame.n == live.table.n
    assert "Which way?" in frame.ask
    assert ("<form" in frame.ask) == (role is Role.ACT)


def test_each_answer_reaches_a_stream_that_waits(live: Live) -> None:
    async def watch() -> list[float]:
        stream = live.stream(as_actor)
        await next_frame(stream)
        delays = []
        for _ in range(20):
            journaled = 0.0

            def note(_: object) -> None:
                nonlocal journaled
                journaled = time.perf_counter()

            stop = live.table.observe(note)
            n = live.table.n
            given = {"toy.way": "stones", "toy.stones": 1}.get(live.table.ask.key, True)
            answering = asyncio.create_task(asyncio.to_thread(live.table.answer, n, given))
            frame = await asyncio.wait_for(next_frame(stream), 10)
            delays.append(time.perf_counter() - journaled)
            await answering
            stop()
            assert n < frame.n == live.table.n
        return delays

    delays = sorted(asyncio.run(watch()))
    print(f"journal to stream: median {delays[10] * 1000:.1f} ms, worst {delays[-1] * 1000:.1f} ms")


def test_many_changes_at_once_are_one_frame_and_the_newest(live: Live) -> None:
    async def watch() -> tuple[Frame, int]:
        stream = live.stream(as_actor)
        await next_frame(stream)
        for _ in range(5):
            live.table.tell()
        await asyncio.sleep(0)
        frame = await next_frame(stream)
        return frame, live.version

    frame, version = asyncio.run(watch())
    assert frame.version == version


def test_a_table_that_a_phone_puts_away_as_the_page_stops_is_closed_once(live: Live) -> None:
    stop = live._stop

    def close() -> None:
        if live.table.lock.acquire(blocking=False):
            live.close()
            live.table.lock.release()

    def stop_as_another_closes_it() -> None:
        live._stop = stop
        with ThreadPoolExecutor() as another:
            another.submit(close).result()
        stop()

    live._stop = stop_as_another_closes_it
    live.close()
    assert live.is_over


def test_a_table_is_drawn_once_for_all_who_may_do_the_same(live: Live) -> None:
    assert live.frame(Role.ACT) is live.frame(Role.ACT)
    assert "<form" in live.frame(Role.ACT).ask
    assert "<form" not in live.frame(Role.WATCH).ask + live.frame(Role.WATCH).side


def test_a_table_is_drawn_while_nobody_moves_it(live: Live) -> None:
    def may_move() -> bool:
        if taken := live.table.lock.acquire(blocking=False):
            live.table.lock.release()
        return taken

    def drawn(*_: object) -> tuple[str, str, str]:
        with ThreadPoolExecutor() as pool:
            return str(pool.submit(may_move).result()), "", ""

    assert Live(live.table, drawn).frame(Role.ACT).ask == "False"


def test_a_table_that_is_closed_hears_no_more_and_may_be_closed_again(live: Live) -> None:
    for _ in range(2):
        live.close()
    version = live.version
    live.table.tell()
    assert live.version == version


def test_a_stream_ends_when_the_phone_is_forgotten(live: Live) -> None:
    async def watch() -> int:
        role = Role.ACT
        stream = live.stream(lambda: role)
        await next_frame(stream)
        role = Role.NOBODY
        live.table.tell()
        return len([chunk async for chunk in stream if chunk.startswith(b"data")])

    assert asyncio.run(watch()) == 0
    assert live.watchers == 0


def test_a_stream_ends_when_the_session_is_put_away(live: Live, house: House) -> None:
    async def watch() -> int:
        stream = live.stream(as_actor)
        await next_frame(stream)
        await asyncio.to_thread(house.leave, live.table.session.meta.id)
        return len([chunk async for chunk in stream if chunk.startswith(b"data")])

    assert asyncio.run(watch()) == 0


def test_a_page_that_waits_for_a_change_hears_at_once_that_the_session_is_put_away(live: Live) -> None:
    async def watch() -> bytes:
        stream = live.stream(as_actor)
        await next_frame(stream)
        waiting = asyncio.create_task(anext(stream, b"the end"))
        await asyncio.sleep(0.05)
        live.close()
        return await asyncio.wait_for(waiting, HEARTBEAT / 2)

    assert asyncio.run(watch()) == b"the end"


def test_who_hangs_up_does_not_watch_any_more(live: Live) -> None:
    async def watch() -> None:
        stream = live.stream(as_actor)
        await next_frame(stream)
        assert live.watchers == 1
        waiting = asyncio.create_task(anext(stream))
        await asyncio.sleep(0.05)
        waiting.cancel()
        await asyncio.gather(waiting, return_exceptions=True)
        assert live.watchers == 0

    asyncio.run(watch())


def test_a_silent_stream_says_that_it_is_still_there(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.live.HEARTBEAT", 0.01)

    async def watch() -> bytes:
        stream = live.stream(as_actor)
        await next_frame(stream)
        return await anext(stream)

    assert asyncio.run(watch()) == BEAT


def test_a_stream_is_silent_again_after_a_change(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("companion.web.live.HEARTBEAT", 0.01)
    asked = count()

    async def watch() -> bytes:
        stream = live.stream(lambda: Role.ACT if next(asked) < 50 else Role.NOBODY)
        await next_frame(stream)
        live.table.tell()
        await next_frame(stream)
        return await anext(stream, b"the stream has ended: it asked again and again")

    assert asyncio.run(watch()) == BEAT


def test_a_table_that_is_opened_again_is_not_taken_for_the_one_before(live: Live, house: House) -> None:
    name, before = live.table.session.meta.id, live.frame(Role.ACT)
    house.leave(name)
    again = house.resume(name).frame(Role.ACT)
    assert again.boot != before.boot
    assert again.board != before.board


def test_twenty_watchers_cost_next_to_nothing_while_nothing_happens(live: Live) -> None:
    async def watch() -> float:
        streams = [live.stream(as_actor) for _ in range(20)]
        for stream in streams:
            await next_frame(stream)
        waiting = [asyncio.create_task(anext(stream)) for stream in streams]
        began, used = time.perf_counter(), time.process_time()
        await asyncio.sleep(1)
        share = (time.process_time() - used) / (time.perf_counter() - began)
        for one in waiting:
            one.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)
        return share

    share = asyncio.run(watch())
    print(f"20 watchers, nothing happening: {share:.2%} of a core")
    assert share < 0.05
