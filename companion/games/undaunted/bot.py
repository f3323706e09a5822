"""The bot's turn: its row, its cards one by one, its keywords (UND-149 to UND-163, UND-225 to UND-239)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial

import msgspec

from companion.engine.asks import Dice, Draw, Roll, Script, Show, ask
from companion.engine.packs import Source
from companion.games.undaunted import acting, cards, combat, movement, victory
from companion.games.undaunted.actions import AREA, COMBAT, MOVEMENT, Action, Kind
from companion.games.undaunted.language import FACES, REMOVE, Verb, faces_of
from companion.games.undaunted.orders import RULES, rules
from companion.games.undaunted.pack import FOG, deck_title, fits, squad_of
from companion.games.undaunted.printer import deed_text
from companion.games.undaunted.solo import Choice, Decision, Effect, No, Reader
from companion.games.undaunted.state import Mine, MineSide, RowCard
from companion.games.undaunted.table import Table, bot_of
from companion.wording import counted

DRAWS = {"easy": 3, "normal": 3, "hard": 4}
"""Cards that the bot draws for its turn (UND-149, UND-237, UND-238)."""


def turn(table: Table, name: str) -> Script[None]:
    """The whole turn, until no face-up card is left (UND-162)."""
    table.give_turn(name)
    yield from lay_out(table, name)
    who = "Markers leave the bot" if _face_up(table) else "The bot has"
    if not bot_of(table).won_bid:
        check_markers(table, name)
    if not _face_up(table):
        table.news.insert(table.read, f"{who} no card to resolve.")
        yield from cards.tell(table, "bot.idle", "UND-162")
    while face_up := _face_up(table):
        yield from resolve(table, name, face_up[0])
    table.give_turn("")


def _face_up(table: Table) -> list[RowCard]:
    return [one for one in bot_of(table).row if not one.face_down]


def _lay_face_down(table: Table, card: str) -> None:
    bot_of(table).row.append(RowCard(card, face_down=True))


def lay_out(table: Table, name: str) -> Script[None]:
    """Draw, turn up last turn's Recon cards, sort by initiative (UND-149 to UND-152, UND-236)."""
    count, put = DRAWS[table.settings["difficulty"]], partial(_lay_face_down, table)
    lying = sum(one.face_down for one in bot_of(table).row)
    yield from cards.draw(table, name, count, put, "UND-149", "UND-151", "UND-270")
    yield from cards.turn_up(table, name, lying)
    row = bot_of(table).row
    for one in row:
        one.face_down = False
    row.sort(key=lambda one: -table.type(one.card).initiative)
    table.news.append(f"Bot row: {', '.join(table.title(one.card) for one in row) or 'empty'}.")
    if row:
        table.news.append("Discard each when it is done.")


def check_markers(table: Table, name: str) -> None:
    """Each marker on a bot unit costs one matching card of the row (UND-153 to UND-156, UND-R10)."""
    bot = bot_of(table)
    for counter in table.side(name).counters.values():
        gone = []
        for _ in range(counter.hits):
            matching = next((one for one in bot.row if table.unit_of(one.card) == counter.unit), None)
            if matching:
                bot.row.remove(matching)
                cards.discard(table, name, matching.card)
                gone.append(_which(table, matching.card))
        if counter.hits:
            off = f"{counted(counter.hits, 'control marker')} off {table.title(counter.unit)}"
            table.news.append(f"{off}: discard {', '.join(gone)}." if gone else f"{off}.")
        counter.hits = 0


def _which(table: Table, card: str) -> str:
    """A card of the row that was taken or turned, and that it was the leftmost where such a one is left."""
    left = any(one.card == card and not one.sideways for one in _face_up(table))
    return table.title(card) + " (leftmost)" * left


def resolve(table: Table, name: str, one: RowCard) -> Script[None]:
    """One card, twice if it lies sideways, then to the discard pile (UND-158, UND-161, UND-231)."""
    bot_of(table).row.remove(one)
    _put_away(table, name)
    bot_of(table).resolving = one.card
    for again in range(1 + one.sideways):
        if bot_of(table).resolving:
            yield from act(table, name, one.card, "again" if again else "")
    _put_away(table, name)


def _put_away(table: Table, name: str) -> None:
    """Discard the card being resolved, or one that was set by hand to be it; none if it left the game."""
    card, bot_of(table).resolving = bot_of(table).resolving, ""
    if card:
        cards.discard(table, name, card)


class Why(msgspec.Struct, frozen=True):
    """Which line of a card applied, and why each one above did not."""

    line: str
    above: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it."""
        return "\n".join((self.line, *self.above))


class Doing(msgspec.Struct, frozen=True):
    """A line being carried out: by whom, in words, which effect, in which way, and why."""

    table: Table
    name: str
    title: str
    reader: Reader
    effect: Effect
    choice: Choice
    why: Why

    @property
    def action(self) -> Action:
        """The action of a line that is one."""
        assert self.effect.action is not None
        return self.effect.action

    def done(self, *rule: str, news: Iterable[str] = ()) -> Script[None]:
        """Tell what was done, in one press; `news` of it is more than what the cards and markers are for."""
        yield from _say(
            self.table, f"{self.title}: {self.choice.words}", self.why, *rule, news=" ".join(news)
        )


def act(table: Table, name: str, card: str, again: str) -> Script[None]:
    """Read the card's solo card and do what applies; `then` goes on with another line (UND-185, UND-186).

    Victory is checked after every action (UND-R47).
    """
    solo = table.solo(card)
    title = f"{table.title(card)} {again}".rstrip()
    if solo is None:
        why = Why("" if card == FOG else "No solo card for it.")
        yield from _say(table, f"{title}: nothing", why, "UND-160", "UND-R12")
        return
    reader = Reader(table, name, card, solo)
    table.news += [f"Special: {text}." for text in (*solo.box, solo.note) if text]
    start = 1
    while start:
        start = yield from _follow(table, name, title, reader, start)
        victory.check(table)


def _follow(table: Table, name: str, title: str, reader: Reader, start: int) -> Script[int]:
    """Carry out the first line from `start` on that applies; the line to go on with, 0 for none."""
    decision = reader.decide(start)
    effect, why, counter = decision.effect, _why(reader, decision), reader.sight.counter
    if effect is None:
        if not reader.done:
            yield from _say(table, f"{title}: nothing", why, "UND-160", "UND-161")
        return 0
    suppressed = counter is not None and counter.suppressed
    if effect.rolls and not (suppressed and _is_action(effect)):
        effect = yield from _rolled(table, title, effect, why)
    if counter is not None and suppressed and _is_action(effect):
        counter.suppressed = False
        text = f"{title}: turn{reader.of_another(counter)} to ready"
        yield from _say(table, text, why, "UND-283", "UND-R21")
        return 0
    choice = yield from choose(table, title, effect.choices, why)
    if reader.decide(start) != decision:  # what was set by hand while it was rolled for counts
        return (yield from _follow(table, name, title, reader, start))
    yield from _carry_out(Doing(table, name, title, reader, effect, choice, why))
    resolving = bot_of(table).resolving
    reader.done.add(effect.line)
    return effect.step.then if resolving else 0


def _is_action(effect: Effect) -> bool:
    """Whether it is an action whatever is rolled; hunkering down is none (UND-284)."""
    if effect.rolls:
        return all(_is_action(one) for _, one in effect.rolls)
    return effect.deed.verb is not Verb.HUNKER


def _why(reader: Reader, decision: Decision) -> Why:
    label = f"Line {decision.effect.label}." if decision.effect else "No line applies."
    above = tuple(f"Not {label}: {why}." for label, why in decision.passed)
    return Why(label + " (stand-in card)" * (reader.solo.source is Source.STAND_IN), above)


def _say(table: Table, text: str, why: Why, *rule: str, news: str = "") -> Script[None]:
    """One press: what the bot did, after whatever has gathered; the lines above are told to who asks why."""
    detail, rule = table.gathered(why.line), table.rules(*rule)
    table.told()
    yield from ask(Show("undaunted.bot.card", text, detail, rule, because=why.above, news=news))


def _rolled(table: Table, title: str, effect: Effect, why: Why) -> Script[Effect]:
    """The die picks; faces of what can't be done are rolled again (UND-209).

    Nothing is rolled where all that can be done is one action, on several results.
    """
    results = {face: one for faces, one in effect.rolls for face in faces_of(faces)}
    able = dict(effect.rolls)
    told = [f"{one} {deed_text(do) if one in able else 'roll again'}" for one, do in effect.step.roll.items()]
    news = table.gathered(why.words)
    question = Roll(
        "undaunted.bot.roll",
        f"{title}: roll for it",
        f"{'; '.join(told)}. {news}",
        ("UND-209", "UND-210"),
        dice=(Dice("d10", 1, FACES),),
    )
    only = {deed_text(one.step.do) for one in results.values()}
    if len(only) == 1:
        text = f"{title}: {only.pop()} alone can be done, no roll"
        yield from ask(Show("undaunted.bot.no_roll", text, news, question.rule))
        return next(iter(results.values()))
    while True:
        (face,) = yield from ask(question)
        if face in results:
            return results[face]


def choose(table: Table, title: str, choices: Sequence[Choice], why: Why) -> Script[Choice]:
    """Pick among what is tied (UND-196)."""
    text = f"{title}: {len(choices)} are tied, roll"
    return choices[(yield from combat.randomly(table, text, [one.words for one in choices], why.words))]


def _carry_out(doing: Doing) -> Script[None]:
    """Do it, placing the unit's counter first if need be (UND-285, UND-R20)."""
    counter = doing.reader.sight.counter
    if counter is not None and _is_action(doing.effect):
        movement.place(doing.table, counter)
    if doing.effect.deed.verb is not Verb.ACTION:
        yield from _card_work(doing)
        return
    kind = doing.action.kind
    if kind in COMBAT:
        yield from _fight(doing)
    elif kind in MOVEMENT or kind is Kind.GUIDE:
        yield from _go(doing)
    else:
        yield from _support(doing)


def _fight(doing: Doing) -> Script[None]:
    table, sight, choice = doing.table, doing.reader.sight, doing.choice
    targets = {Kind.ANTITANK: "UND-219", Kind.DEMOLITION: "UND-220"}
    rule = ("UND-217", targets.get(doing.action.kind, "UND-218"))
    attack = combat.Attack(sight.side, doing.action, sight.tile, doing.title, doing.why.words, rule)
    before = len(table.news)
    if doing.action.kind in AREA:
        yield from combat.area_attack(table, attack, choice.tile)
    else:
        assert choice.counter is not None
        yield from combat.fire(table, attack, choice.counter)
    came = table.news[before:]
    if came:  # the roll itself was not seen, if the box made it
        came[0] = f"{doing.title}: {came[0]}"
    table.news[:] = came + table.news[table.read : before]
    table.read = 0
    yield from cards.tell(table, "bot.result", *rules(doing.action))


def _go(doing: Doing) -> Script[None]:
    """Movement: carried out, then told in one press; a mine on the way asks for its own dice."""
    kind, choice = doing.action.kind, doing.choice
    assert choice.counter is not None
    mined = bool(movement.mines_on(doing.table, choice.counter, choice.path))
    if mined:
        doing.table.news.append(f"{doing.title}: {choice.words}.")
    before = len(doing.table.news)
    if not (yield from movement.travel(doing.table, doing.name, choice.counter, kind, choice.path)):
        tile = choice.counter.tile
        ended = f"{kind} ended by a mine{f' on {tile}' * bool(tile)}"
        doing = msgspec.structs.replace(doing, choice=msgspec.structs.replace(choice, words=ended))
    yield from doing.done(*RULES[kind], "UND-183", news=doing.table.news[before:] * mined)


def _support(doing: Doing) -> Script[None]:
    table, sight, choice = doing.table, doing.reader.sight, doing.choice
    kind, before = doing.action.kind, len(table.news)
    match kind:
        case Kind.CONTROL:
            assert sight.counter is not None
            acting.control(table, sight.counter)
        case Kind.ADVANCE:
            yield from _advance(doing)
        case Kind.TARGET:
            table.side(doing.name).target = choice.tile
        case Kind.MINE:
            yield from _work_mines(doing)
        case Kind.CONCEAL:
            acting.conceal(table, table.mates(sight.foe)[0])
        case Kind.COMMAND:
            yield from command(table, doing.name, doing.action.x)
        case Kind.RECON:
            yield from recon(table, doing.name)
        case _:
            raise AssertionError(kind)
    news = table.news[before:] if kind in {Kind.ADVANCE, Kind.MINE} else ()
    yield from doing.done(*_BOT_RULES.get(kind, RULES[kind]), news=news)


_BOT_RULES = {
    Kind.CONTROL: ("UND-178", *RULES[Kind.CONTROL]),
    Kind.COMMAND: ("UND-227", "UND-228", "UND-229"),
    Kind.RECON: ("UND-233", "UND-234", "UND-235"),
}
"""What the bot does otherwise than a player."""


def _work_mines(doing: Doing) -> Script[None]:
    """Up to X mines one by one, each laid on the best edge, free ones first, or taken away (UND-065)."""
    choice = doing.choice
    for left in reversed(range(doing.action.x)):
        _work_mine(doing, choice.tile)
        further = (yield from _next_mine(doing)) if left else None
        if further is None:
            return
        choice = further
        doing.table.news.append(f"It also {choice.words}.")


def _next_mine(doing: Doing) -> Script[Choice | None]:
    """Which mine is next, if any; rolled for anew where mines were moved by hand meanwhile."""
    effect = doing.effect
    while not isinstance(found := doing.reader.mine(effect.step, effect.deed), No):
        choice = yield from choose(doing.table, doing.title, found, doing.why)
        if doing.reader.mine(effect.step, effect.deed) == found:
            return choice
    return None


def _work_mine(doing: Doing, tile: str) -> None:
    """Lay a mine from the supply, or take one back to the box (UND-067, UND-070, UND-071)."""
    table, here, work = doing.table, doing.reader.sight.tile, doing.effect.deed.name
    if work == REMOVE:
        table.state.mines.remove(doing.reader.lifted(tile))
        return
    table.state.mines.append(Mine((here, tile), MineSide[work.upper()]))
    table.side(doing.name).mines -= 1


def _advance(doing: Doing) -> Script[None]:
    start, tile = doing.choice.path
    table, squad = doing.table, squad_of(doing.reader.card)
    advancing = movement.advancing(table, doing.name, squad, start, tile)
    yield from movement.advance(table, doing.name, advancing, start, tile)


def _card_work(doing: Doing) -> Script[None]:
    """What a line does with cards or with the selection."""
    verb, choice = doing.effect.deed.verb, doing.choice
    match verb:
        case Verb.BOLSTER:
            yield from bolster(doing.table, doing.name, choice.tile)
        case Verb.INSPIRE:
            inspire(doing.table, choice.row)
        case Verb.SELECT:
            doing.reader.sight.selected = choice.tile
        case Verb.HUNKER:
            hunker(doing.table, doing.name)
    yield from doing.done(*_VERB_RULES[verb])


_VERB_RULES = {
    Verb.BOLSTER: ("UND-225", "UND-226"),
    Verb.INSPIRE: ("UND-230", "UND-231"),
    Verb.SELECT: ("UND-214", "UND-215", "UND-216"),
    Verb.HUNKER: ("UND-R46",),
}


def bolster(table: Table, name: str, deck: str) -> Script[None]:
    """The top card of a bolster deck to the discard pile (UND-225)."""
    (card,) = yield from ask(partial(_top_card, table, name, deck))
    table.drawn()
    cards.take(bot_of(table).bolster[deck], card)
    cards.discard(table, name, card)
    table.news.append(f"{table.title(card)} goes to the bot's discard pile.")


def _top_card(table: Table, name: str, deck: str) -> Draw:
    return Draw(
        "undaunted.draw.bolster",
        f"{cards.by_card(table, name)}Bot bolsters, top card of deck {deck_title(deck)}",
        table.gathered(),
        rule=("UND-225",),
        deck=f"bolster {deck}",
        count=1,
        options=cards.options(table, bot_of(table).bolster.get(deck, {})),
    )


def inspire(table: Table, row: Sequence[int]) -> None:
    """Turn cards of the row sideways (UND-230)."""
    inspired = [bot_of(table).row[number] for number in row]
    for one in inspired:
        one.sideways = True
    titles = ", ".join(_which(table, one.card) for one in inspired)
    table.news.append(f"Turn {titles} sideways: resolved twice, upright the second time.")


def command(table: Table, name: str, count: int) -> Script[None]:
    """Cards one by one into the row, each behind its equals (UND-227 to UND-229, UND-R16, UND-R17)."""
    for _ in range(count):
        yield from cards.draw(table, name, 1, partial(insert, table), "UND-227")


def insert(table: Table, card: str) -> None:
    """Left of all lower cards, right of all equal or higher ones; the card being resolved stays left."""
    row, rank = bot_of(table).row, table.type(card).initiative
    before = sum(table.type(one.card).initiative >= rank for one in row if not one.face_down)
    lower = next((one.card for one in row[before:] if not one.face_down), "")
    row.insert(before, RowCard(card))
    where = f"left of {table.title(lower)}" if lower else "right of all that are face up"
    if not before:
        where = "next in the row"
    table.news.append(f"Commanded: {table.title(card)}, {where}.")


def recon(table: Table, name: str) -> Script[None]:
    """A Fog of War of the row leaves the game, a face-down card comes for next turn (UND-233 to UND-235)."""
    row = bot_of(table).row
    row.remove(next(one for one in row if one.card == FOG and not one.face_down))
    cards.add(table.state.players[name].removed, FOG)
    left = sum(one.card == FOG and not one.face_down for one in row)
    table.news.append(f"A Fog of War of the row leaves the game: {left or 'none'} left in the row.")
    lying = len(row)
    yield from cards.draw(table, name, 1, partial(_lay_face_down, table), "UND-234", face_down=True)
    drawn = len(row) > lying
    table.news.append("One card lies face down for the next turn." if drawn else "No card is left to draw.")


def hunker(table: Table, name: str) -> None:
    """The card goes back to the bolster deck that it came from (UND-R46)."""
    bot = bot_of(table)
    card, bot.resolving = bot.resolving, ""
    home = next((deck for deck in bot.bolster if holds(table, deck, card)), "")
    cards.add(bot.bolster[home] if home else table.state.players[name].supply, card)
    where = f"into bolster deck {deck_title(home)} (shuffle it)" if home else "to the bot's supply"
    table.news.append(f"{table.title(card)} goes {where}.")


def holds(table: Table, deck: str, card: str) -> bool:
    """Whether a bolster deck is one that a card belongs to (UND-R06)."""
    patterns = table.section.bolster.get(deck, ()) if table.section else ()
    return any(fits(table.pack, pattern, card) for pattern in patterns)
