"""Notes are added, never replaced, and survive a restart."""

from pathlib import Path

import msgspec
import pytest

from companion.engine import Journal
from companion.engine.records import Note
from companion.logbook import html, markdown
from companion.logbook.report import report
from tests.logbook.conftest import TOY, play_small


def test_the_newest_people_and_place_hold_and_all_words_stay(journal: Journal, played: str) -> None:
    journal.note(played, Note(1, "Again", people=("Eve",)))
    journal.note(played, Note(2, rating=7))
    told = report(journal, TOY, journal.session(played))
    assert dict(told.facts)["Players"] == "Eve"
    assert dict(told.facts)["Place"] == "Kitchen"
    assert told.notes == ("8/10 A *close* climb", "Again", "7/10")


def test_a_note_that_only_tells_who_played_puts_no_empty_list_into_a_report(journal: Journal) -> None:
    name = play_small(journal)
    journal.note(name, Note(1, people=("Eve",)))
    told = report(journal, TOY, journal.session(name))
    assert "<h2>Notes</h2>" not in html.of_report(told)
    assert "## Notes" not in markdown.of_report(told)


def test_notes_are_there_after_a_restart(journal: Journal, played: str) -> None:
    notes = journal.notes(played)
    journal.close()
    with Journal(journal.folder) as again:
        assert again.notes(played) == notes


def test_notes_of_a_damaged_journal_are_salvaged(journal: Journal, played: str, tmp_path: Path) -> None:
    journal.close()
    path = journal.path
    data = bytearray(path.read_bytes())
    page = data.find(b'{"session":"')
    data[page + 200] ^= 0xFF
    path.write_bytes(data)
    with Journal(journal.folder) as again:
        again.entries(played)
        assert again.salvaged is not None
        assert [note.rating for note in again.notes(played)] == [8]


def test_a_damaged_note_is_left_out_and_the_others_stay(journal: Journal, played: str) -> None:
    journal.note(played, Note(1, "Again"))
    journal.close()
    content = journal.path.read_bytes()
    journal.path.write_bytes(content.replace(b'"Again"', b'"Again '))
    with Journal(journal.folder) as again:
        assert [note.rating for note in again.notes(played)] == [8]
        assert again.salvaged is not None
    with Journal(journal.folder) as later:
        assert [note.rating for note in later.notes(played)] == [8]
        assert later.salvaged is None


@pytest.mark.parametrize("rating", [0, 11, -1])
def test_a_rating_is_from_one_to_ten(rating: int) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"at": 0, "rating": rating}, Note)
