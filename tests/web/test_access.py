"""Who may look and who may act."""

import fcntl
import os
import threading
from pathlib import Path

import pytest

from companion.web.access import MOST_CLIENTS, MOST_PHONES, WRONG_CODES, Access, Bucket, Refused, Role


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def access(tmp_path: Path, clock: Clock) -> Access:
    return Access(tmp_path, clock=clock)


def test_the_machine_itself_may_act_and_strangers_may_nothing(access: Access) -> None:
    assert access.role("127.0.0.1", None) is Role.ACT
    assert access.role("::1", None) is Role.ACT
    assert access.role("192.168.1.9", None) is Role.NOBODY
    assert access.role("", None) is Role.NOBODY
    assert access.role("127.0.0.1.evil.example", None) is Role.NOBODY


def test_strangers_may_watch_only_if_that_is_allowed(tmp_path: Path) -> None:
    assert Access(tmp_path, watchers=True).role("192.168.1.9", None) is Role.WATCH


def test_a_phone_that_knows_the_code_may_act_also_after_a_restart(access: Access, tmp_path: Path) -> None:
    token = access.pair("192.168.1.9", access.code, "Ann's phone")
    assert access.role("192.168.1.9", token) is Role.ACT
    assert Access(tmp_path).role("192.168.1.9", token) is Role.ACT
    access.pair("192.168.1.8", f" {access.code}\n", "  ")
    access.pair("192.168.1.7", access.code, "x" * 3000)
    assert [phone.name for phone in access.phones] == ["Ann's phone", "A phone", "x" * 40]


def test_a_phone_that_pairs_again_is_one_phone_and_keeps_its_name(access: Access) -> None:
    first = access.pair("192.168.1.9", access.code, "Ann's phone")
    second = access.pair("192.168.1.9", access.code, " ", before=first)
    assert [phone.name for phone in access.phones] == ["Ann's phone"]
    assert [access.role("192.168.1.9", token) for token in (first, second)] == [Role.NOBODY, Role.ACT]
    access.pair("192.168.1.9", access.code, "Bob's phone", before=second)
    access.pair("192.168.1.8", access.code, "", before="a secret of another box")
    assert [phone.name for phone in access.phones] == ["Bob's phone", "A phone"]


def test_the_secret_of_a_phone_is_not_kept(access: Access, tmp_path: Path) -> None:
    token = access.pair("192.168.1.9", access.code, "")
    assert token not in (tmp_path / "phones.json").read_text()
    assert (tmp_path / "phones.json").stat().st_mode & 0o077 == 0


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can serve for another user")
def test_the_phones_that_root_lets_in_to_anothers_box_are_that_ones(access: Access, tmp_path: Path) -> None:
    os.chown(tmp_path, 65534, 65534)
    access.pair("192.168.1.9", access.code, "")
    assert {place.stat().st_uid for place in tmp_path.rglob("*")} == {65534}


def test_r8_a_folder_that_cannot_be_written_refuses_a_phone_with_the_reason(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    access = Access(tmp_path / "file")
    with pytest.raises(Refused, match="can't write down its phones: "):
        access.pair("192.168.1.9", access.code, "")
    with pytest.raises(Refused, match="can't write down its phones: "):
        access.forget("a key")


def test_a_forgotten_phone_may_nothing(access: Access) -> None:
    token = access.pair("192.168.1.9", access.code, "")
    for _ in range(2):  # as a second tap does
        access.forget(access.phones[0].key if access.phones else "gone")
        assert access.role("192.168.1.9", token) is Role.NOBODY


def test_a_forgotten_phone_cannot_pair_again_with_the_code_that_it_knows(access: Access) -> None:
    known, told = access.code, list[str]()
    access.renewed = lambda: told.append(access.code)
    access.pair("192.168.1.9", known, "")
    access.forget(access.phones[0].key)
    assert (access.code != known, told) == (True, [access.code])
    with pytest.raises(Refused, match="not the code"):
        access.pair("192.168.1.9", known, "")


def test_a_wrong_code_is_refused_and_five_a_minute_are_enough(access: Access, clock: Clock) -> None:
    wrong = "000000" if access.code != "000000" else "111111"
    for _ in range(5):
        with pytest.raises(Refused, match="not the code"):
            access.pair("192.168.1.9", wrong, "")
    with pytest.raises(Refused, match="Too many tries"):
        access.pair("192.168.1.9", access.code, "")
    clock.now += 11
    with pytest.raises(Refused, match="Too many tries"):
        access.pair("192.168.1.9", access.code, "")
    clock.now += 49
    assert access.pair("192.168.1.9", access.code, "")


def test_guessing_from_many_addresses_changes_the_code(access: Access) -> None:
    before, told = access.code, list[str]()
    access.renewed = lambda: told.append(access.code)
    wrong = "000000" if before != "000000" else "111111"
    for number in range(WRONG_CODES):
        with pytest.raises(Refused):
            access.pair(f"10.0.0.{number}", wrong, "")
    assert (access.code != before, told) == (True, [access.code])
    for number in range(WRONG_CODES - 1):
        with pytest.raises(Refused):
            access.pair(f"10.0.1.{number}", "no code", "")
    assert told == [access.code]


@pytest.mark.parametrize("code", ["", "x" * 1000, "é", "\x00", "0"])
def test_a_code_that_is_none_is_refused(access: Access, code: str) -> None:
    with pytest.raises(Refused):
        access.pair("192.168.1.9", code, "")


def test_there_is_an_end_to_phones(access: Access) -> None:
    for number in range(MOST_PHONES):
        access.pair(f"10.0.0.{number}", access.code, "")
    with pytest.raises(Refused, match="Forget one"):
        access.pair("10.0.1.1", access.code, "")


def test_companions_that_share_a_folder_share_their_phones(tmp_path: Path) -> None:
    box, laptop = Access(tmp_path), Access(tmp_path)
    first, second = box.pair("192.168.1.9", box.code, "one"), laptop.pair("192.168.1.8", laptop.code, "two")
    assert [phone.name for phone in box.phones] == [phone.name for phone in laptop.phones] == ["one", "two"]
    laptop.forget(box.phones[0].key)
    assert box.role("192.168.1.9", first) is Role.NOBODY
    assert box.role("192.168.1.8", second) is laptop.role("192.168.1.8", second) is Role.ACT


def test_a_phone_that_another_companion_forgot_for_one_of_the_same_name_may_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("time.time", lambda: 1000.0)
    box, laptop = Access(tmp_path), Access(tmp_path)
    token = box.pair("192.168.1.9", box.code, "one")
    assert box.role("192.168.1.9", token) is Role.ACT
    laptop.forget(laptop.phones[0].key)
    laptop.pair("192.168.1.9", laptop.code, "one")
    assert box.role("192.168.1.9", token) is Role.NOBODY


def test_a_code_has_six_digits_whatever_the_number(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("secrets.randbelow", lambda _: 42)
    assert Access(tmp_path).code == "000042"


DAMAGED = [
    b"\x80{",
    b'[{"key":"a","name":"\x80","since":1}]',
    b'{"phones":[]}',
    b'[{"key":"a","name":"b","since":1,"x":' + b"[" * 5000,
]


@pytest.mark.parametrize("damaged", DAMAGED)
def test_r8_a_damaged_list_of_phones_means_pairing_again_and_is_kept_aside(
    tmp_path: Path, damaged: bytes
) -> None:
    for number in (1, 2):
        (tmp_path / "phones.json").write_bytes(damaged)
        access = Access(tmp_path)
        assert (access.phones, access.role("192.168.1.9", "a secret")) == ([], Role.NOBODY)
        assert access.damage.endswith(f"the damaged file is {tmp_path / 'phones.json'}")
        with pytest.raises(Refused):
            access.pair("192.168.1.9", "no code", "")
        assert (tmp_path / "phones.json").read_bytes() == damaged
        access.pair("192.168.1.9", access.code, "Ann's phone")
        access.forget("another")
        assert [phone.name for phone in access.phones] == ["Ann's phone"]
        aside = tmp_path / f"phones.damaged-{number}.json"
        assert access.damage.endswith(f"the damaged file is {aside}")
        assert aside.read_bytes() == damaged
        assert Access(tmp_path).damage == ""


def test_a_list_of_phones_that_was_deleted_is_not_said_to_be_damaged(tmp_path: Path) -> None:
    access = Access(tmp_path)
    access.pair("192.168.1.9", access.code, "Ann's phone")
    assert access.phones
    (tmp_path / "phones.json").unlink()
    assert (access.phones, access.damage) == ([], "")
    access.pair("192.168.1.9", access.code, "Ann's phone")
    assert [phone.name for phone in access.phones] == ["Ann's phone"]


def test_a_list_of_phones_that_the_disk_does_not_give_back_means_pairing_again(tmp_path: Path) -> None:
    (tmp_path / "phones.json").mkdir()
    assert Access(tmp_path).role("192.168.1.9", "a secret") is Role.NOBODY


def test_a_bucket_fills_with_time_up_to_its_brim(clock: Clock) -> None:
    bucket = Bucket(2, 1, clock)
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]
    clock.now = 1
    assert [bucket.take("a") for _ in range(2)] == [True, False]
    clock.now = 3600
    assert [bucket.take("a") for _ in range(3)] == [True, True, False]


def test_of_too_many_clients_the_one_that_asked_last_longest_ago_is_forgotten(clock: Clock) -> None:
    bucket = Bucket(1, 0.0001, clock)
    for number in range(MOST_CLIENTS):
        bucket.take(str(number))
    assert not bucket.take("0")
    assert bucket.take("new")
    assert [bucket.take(one) for one in ("new", "0", "1")] == [False, False, True]
    assert len(bucket._left) == MOST_CLIENTS


def test_a_phone_is_not_written_down_while_another_companion_does_it(tmp_path: Path) -> None:
    access = Access(tmp_path)
    pairing = threading.Thread(target=access.pair, args=("192.168.1.9", access.code, "Ann"))
    with (tmp_path / "phones.lock").open("a") as others:
        fcntl.flock(others, fcntl.LOCK_EX)
        pairing.start()
        pairing.join(0.1)
        assert pairing.is_alive()
    pairing.join(10)
    assert [phone.name for phone in access.phones] == ["Ann"]
