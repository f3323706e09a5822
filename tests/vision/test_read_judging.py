"""Slopes and colours: what makes a die cocked, and what colour it is."""

import numpy as np
import pytest

from vision import Box, colours, faces, find, lean, sets, verdict
from vision.faces import View
from vision.train.posed import BLACK, BLUE, RED, WHITE, Posed, tray

NOTHING = np.zeros((2, 0), np.float32)
EQUAL = np.full((2, 10), 0.1, np.float32)  # any digit, for all that can be told


def sloping(*vectors):
    """Looks at dice whose faces slope so (to the right, down)."""
    rows = [[np.hypot(*v), *v] for v in vectors]
    return [
        View(NOTHING, NOTHING, NOTHING, np.array([row, row], np.float32), NOTHING, NOTHING) for row in rows
    ]


def unlike(looks, boxes):
    """How far each of these dice slopes unlike the others, in a picture of 640 pixels across."""
    return np.array([slope.unlike for slope in lean.slopes(looks, boxes, 640)])


def tables(looks, boxes):
    return np.array([slope.table for slope in lean.slopes(looks, boxes, 640)])


def across(count, width=640):
    return [Box(width * (n + 0.5) / count - 20, 200, 40, 40) for n in range(count)]


def test_dice_that_slope_alike_are_all_flat():
    slopes = unlike(sloping(*[(0.3, 0.1)] * 5), across(5))
    assert (slopes < lean.COCKED).all()


@pytest.mark.parametrize("odd", [(0.7, 0.1), (-0.2, 0.1), (0.3, -0.5)])
def test_one_that_slopes_otherwise_is_cocked(odd):
    slopes = unlike(sloping((0.3, 0.1), (0.3, 0.1), odd, (0.3, 0.1), (0.3, 0.1)), across(5))
    assert list(slopes > lean.COCKED) == [False, False, True, False, False]


def test_one_that_slopes_as_much_to_elsewhere_is_forgiven_more_than_a_steeper_one():
    flat, aside, steeper = (0.3, 0.1), (0.058, 0.311), (0.6, 0.2)  # both are 0.32 from the others
    for odd, cocked in ((aside, False), (steeper, True)):
        slopes = unlike(sloping(flat, flat, odd, flat, flat), across(5))
        assert list(slopes > lean.COCKED) == [False, False, cocked, False, False]


@pytest.mark.parametrize(("scatter", "rough"), [(0.05, 0.0), (0.25, 0.17)])
def test_slopes_are_seen_roughly_where_the_usual_die_seems_to_differ(scatter, rough):
    seen = [(scatter * x, scatter * y) for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1))]
    slopes = lean.slopes(sloping(*seen, (0.37, 0.0)), [Box(300, 200, 40, 40)] * 7, 640)
    assert lean.roughness(slopes) == pytest.approx(rough, abs=0.01)


@pytest.mark.parametrize("dice", [0, 1, 2])
def test_of_so_few_dice_none_is_the_usual_one(dice):
    assert lean.roughness([a_slope(0.3)] * dice) == 0.0
    assert lean.roughness([a_slope(0.3)] * 3) > 0.0


@pytest.mark.parametrize(("kind", "forgiven"), [("d6", True), ("d6num", True), ("d10", False)])
def test_a_slope_that_is_seen_roughly_is_forgiven_but_to_a_d10(kind, forgiven):
    column = verdict.column(sets.load(kind).kinds[0])
    look = a_four(column, 1.0, faces.SYMBOLS)
    assert judged_as([kind], look, slope=0.1).sure
    assert not judged_as([kind], look, slope=0.33).sure
    assert judged_as([kind], look, slope=0.33, rough=0.2).sure is forgiven


@pytest.mark.parametrize("lens", [0.4, 0.75])
def test_a_wide_lens_makes_flat_dice_slope_outwards(lens):
    boxes = across(5)
    outwards = [(lens * ((box.x + 20) / 320 - 1), 0.0) for box in boxes]
    assert (unlike(sloping(*outwards), boxes) < lean.COCKED).all()


def test_where_flat_dice_would_slope_to_is_told_by_the_others():
    boxes, lens = across(5), 0.4
    leans = [(lens * ((box.x + 20) / 320 - 1), 0.1) for box in boxes]
    odd = [*leans[:2], (0.5, -0.4), *leans[3:]]
    assert tables(sloping(*odd), boxes) == pytest.approx(np.array(leans), abs=0.1)


def test_a_table_is_told_by_all_dice_that_lie_on_it():
    """Slopes that the network saw in a rendered tray, where all dice lie flat."""
    seen = {
        (183, 332): (-0.04, -0.13),
        (188, 242): (0.0, -0.09),
        (389, 65): (0.0, -0.09),
        (387, 188): (0.01, -0.13),
        (311, 313): (0.05, -0.08),
        (404, 332): (-0.02, -0.07),
        (473, 226): (0.12, -0.22),
        (440, 388): (0.1, 0.03),
        (443, 102): (0.17, -0.26),
        (358, 382): (-0.03, 0.01),
        (275, 208): (0.0, -0.14),
        (484, 330): (0.09, 0.1),
        (213, 176): (0.0, -0.03),
        (471, 135): (0.21, 0.01),
    }
    boxes = [Box(x - 30, y - 30, 60, 60) for x, y in seen]
    assert max(slope.away for slope in lean.slopes(sloping(*seen.values()), boxes, 640)) < 0.2


@pytest.mark.parametrize(("seen", "taken"), [((0.2, 0.0), (0.2, 0.0)), ((0.0, -0.6), (0.0, -0.3))])
def test_a_single_die_is_taken_to_lie_flat_as_long_as_it_slopes_but_little(seen, taken):
    assert tables(sloping(seen), across(1))[0] == pytest.approx(taken)


def test_a_single_steep_die_may_be_cocked():
    assert unlike(sloping((0.52, 0.0)), across(1)) >= lean.COCKED
    assert unlike(sloping((0.48, 0.0)), across(1)) < lean.COCKED
    assert len(unlike([], [])) == 0


def test_seen_from_the_side_nothing_can_be_told():
    slopes = unlike(sloping((0.0, 0.57), (0.5, 0.5), (0.0, 0.57)), across(3))
    assert (slopes == 0).all()
    slopes = unlike(sloping((0.0, 0.53), (0.5, 0.5), (0.0, 0.53)), across(3))
    assert list(slopes > lean.COCKED) == [False, True, False]


@pytest.mark.parametrize(
    ("body", "ink", "name"), [(RED, WHITE, "red"), (BLUE, WHITE, "blue"), (WHITE, BLACK, "white")]
)
def test_colours_have_their_common_names(body, ink, name):
    picture = tray([Posed("d6", "4", (200, 200), body=body, ink=ink)], pixels=80)
    seen, chance = colours.nearest(
        colours.tone(picture, Box(160, 160, 80, 80)), colours.named(["red", "white", "blue"])
    )
    assert seen == name
    assert chance > 0.9


def test_a_die_that_a_lamp_has_half_washed_out_has_no_sure_colour():
    known = colours.named(["black", "white", "red"])
    die = np.full((80, 100, 3), 30, np.uint8)
    die[:, 80:] = (40, 90, 40)  # the tray
    assert colours.told(die, Box(0, 0, 80, 80), known) == ("black", pytest.approx(1, abs=0.01))
    die[10:60, 10:66] = 250
    colour, chance = colours.told(die, Box(0, 0, 80, 80), known)
    assert (colour, chance <= 0.5) == ("white", True)


def test_in_a_picture_that_is_all_grey_no_colour_is_sure():
    picture = tray([Posed("pips", "4", (200, 200), body=RED, ink=WHITE)], pixels=80)
    known, box = colours.named(["black", "red"]), Box(160, 160, 80, 80)
    assert colours.told(picture, box, known)[1] > 0.9
    grey = np.repeat(picture.mean(axis=2, keepdims=True), 3, axis=2).astype(np.uint8)
    assert colours.told(grey, box, known)[1] <= 0.5
    assert colours.told(grey, box, {}) == (None, 1.0)
    assert colours.told(grey, box, colours.named(["red"])) == ("red", 1.0)


def test_a_colour_between_two_is_doubtful():
    known = {"one": [np.array([20.0, 100, 128])], "other": [np.array([20.0, 156, 128])]}
    assert colours.nearest(np.array([20.0, 127, 128]), known)[1] < 0.5
    assert colours.nearest(known["one"][0], {"one": known["one"], "same": known["one"]})[1] < 0.5
    colour, chance = colours.nearest(np.array([20.0, 105, 128]), known)
    assert colour == "one"
    assert chance > 0.99


def test_a_die_in_shadow_keeps_its_colour():
    die = np.full((80, 80, 3), (30, 30, 110), np.uint8)
    assert colours.told(die, Box(0, 0, 80, 80), colours.named(["red", "black"])) == (
        "red",
        pytest.approx(1, abs=0.01),
    )


@pytest.mark.parametrize(
    ("lightness", "known", "sure"),
    [
        (230, ["white", "ivory", "red"], False),
        (220, ["white", "ivory", "red"], True),
        (230, ["white", "red"], True),
    ],
)
def test_light_colours_are_not_told_apart_where_light_has_washed_them_out(lightness, known, sure):
    seen = np.array([lightness / 5, 128, 131])
    colour, chance = colours.nearest(seen, colours.named(known))
    assert (colour, chance > 0.9) == ("white", sure)


@pytest.mark.parametrize(("light", "of", "told"), [(2, 2, False), (1, 2, False), (1, 3, True), (0, 3, True)])
def test_a_taught_colour_is_light_where_half_of_its_samples_are(light, of, told):
    dark, white, red = (np.array(tone) for tone in ([8.0, 128, 128], [46.0, 128, 130], [42.0, 150, 135]))
    reds = np.array([red] * light + [red - [20, 0, 0]] * (of - light))
    known = {"white": np.array([white, dark]), "red": reds}
    assert colours.nearest(white, known) == ("white", pytest.approx(1.0 if told else 0.5, abs=0.01))


@pytest.mark.parametrize(("light", "sure"), [(1.0, True), (0.9, True), (0.6, False)])
def test_a_white_die_in_dim_light_is_not_taken_for_a_black_one_beside_others_that_are_dim(light, sure):
    taught, shown = _four_bodies(1.0), _four_bodies(light)
    known = {colour: colours.tone(picture, BODY)[np.newaxis] for colour, picture in taught.items()}
    by = colours.gain([colours.tone(picture, BODY) for picture in shown.values()], known)
    colour, chance = colours.told(shown["white"], BODY, known, by)
    assert (colour == "white" and chance > 0.9) is sure
    alone, said = colours.told(shown["white"], BODY, known)
    assert sure or (alone == "black" and said > 0.9)
    assert sure or chance <= 0.5
    assert colours.told(shown["red"], BODY, known, by) == ("red", pytest.approx(1, abs=0.2))


def test_a_die_of_a_strange_colour_says_nothing_of_the_light():
    known = colours.named(["black", "white", "red"])
    dim = [np.array([22.5, 128, 129]), np.array([11.0, 154, 144])]  # white and red
    assert colours.gain(dim, known) == colours.gain([*dim, np.array([40.0, 40, 200])], known) == 1.8


@pytest.mark.parametrize(("x", "y"), [(-8, 30), (30, -8), (68, 30), (30, 68)])
def test_a_die_at_the_edge_of_a_picture_has_the_colour_of_what_is_seen_of_it(x, y):
    picture = np.full((100, 100, 3), (30, 30, 170), np.uint8)
    seen = colours.tone(picture, Box(x, y, 40, 40))
    assert seen == pytest.approx(colours.tone(picture, Box(30, 30, 40, 40)))


BODY = Box(20, 20, 40, 40)


def _four_bodies(light):
    """Dice on green felt, under so much light as CIELAB tells it, which grows as the cube root of light."""
    bodies = {"black": (70, 70, 70), "white": (245, 245, 245), "red": (40, 30, 200), "blue": (200, 80, 30)}
    pictures = {colour: np.full((80, 80, 3), (20, 90, 20), np.uint8) for colour in bodies}
    for colour, body in bodies.items():
        pictures[colour][20:60, 20:60] = np.array(body) * light ** (3 / 2.2)
    return pictures


def test_neither_one_sample_of_a_colour_counts_for_all_nor_each_of_them():
    red, blue = np.array([22.0, 180, 160]), np.array([19.0, 135, 80])
    slip = {"red": np.array([red] * 4), "blue": np.array([*[blue] * 4, red])}
    assert colours.nearest(red + 1, slip) == ("red", pytest.approx(1, abs=0.01))
    shadows = {"red": np.array([*[blue] * 5, *[red] * 3]), "blue": np.array([(red + blue) / 2] * 4)}
    assert colours.nearest(red + 1, shadows)[0] == "red"


def test_names_that_nobody_knows_are_not_guessed():
    assert colours.named(["red", "octarine"]) == {}
    assert colours.nearest(np.zeros(3), {}) == (None, 1.0)


@pytest.mark.parametrize(
    ("other", "means_the_same"),
    [
        (Box(100, 100, 50, 50), True),
        (Box(110, 105, 50, 50), True),
        (Box(115, 115, 15, 15), True),  # a pip
        (Box(145, 100, 50, 50), False),  # a neighbour that touches
        (Box(300, 100, 50, 50), False),
    ],
)
def test_boxes_that_mean_the_same_die(other, means_the_same):
    assert find.same(Box(100, 100, 50, 50), other) is means_the_same
    assert find.same(other, Box(100, 100, 50, 50)) is means_the_same


def test_what_a_surer_candidate_covers_may_be_a_part_of_it():
    sure, part = find.Candidate(Box(100, 100, 60, 60), 0.8), find.Candidate(Box(130, 100, 50, 50), 0.5)
    assert find.crowded(part, [sure, part])
    assert not find.crowded(sure, [sure, part])
    assert not find.crowded(part, [part, find.Candidate(Box(300, 100, 60, 60), 0.8)])


@pytest.mark.parametrize(
    ("box", "beyond"),
    [
        (Box(-4, 100, 50, 50), False),
        (Box(-6, 100, 50, 50), True),
        (Box(300, -6, 50, 40), True),
        (Box(600, 100, 50, 50), True),
        (Box(300, 436, 50, 50), True),
        (Box(594, 434, 50, 50), False),
    ],
)
def test_a_die_with_a_part_beyond_the_frame_is_cut_off(box, beyond):
    assert find.cut_off(box, 640, 480) is beyond


class Told:
    """A gallery that says what it is told to: how near each face's samples are, and how well prints fit.

    `aslant` is how much better they fit on a die that slopes as much as is seen, `steep` how much steeper
    all faces seem.
    """

    def __init__(self, kinds, near, prints, colour=(None, 1.0), aslant=0.0, steep=0.0):
        self.kinds, self.complete = kinds, {kind.name for kind in kinds}
        self._near, self._prints, self._colour = np.array(near), np.array(prints), colour
        self._aslant, self._steep = aslant, steep

    def steepness(self, kind, face):
        return self._steep

    def nearness(self, looks, kind):
        return np.broadcast_to(self._near, (len(looks.kinds), len(kind.faces)))

    def correlations(self, frame, box, lean, kind):
        return self._prints + self._aslant * np.hypot(*lean)

    def colour(self, frame, box, kind, by):
        return self._colour


def judged(
    near, prints, *, digit, other=0.0, slope=0.0, legible=1.0, colour=(None, 1.0), kind="d10", aslant=0.0
):
    """A taught die whose samples say so, the network being sure of digits and less of the kind."""
    taught = sets.load(kind)
    digits = np.full((max(2, np.size(digit)), 10), 1e-4, np.float32)
    digits[np.arange(len(digits)), digit] = 1
    kinds = np.zeros((len(digits), 6), np.float32)
    kinds[:, verdict.column(taught.kinds[0])], kinds[:, faces.OTHER] = 1 - other, other
    readable = np.full(len(digits), legible, np.float32)
    looks = View(np.zeros((len(digits), 6)), kinds, readable, np.zeros((len(digits), 3)), NOTHING, digits)
    asked = verdict.Asked(taught, Told(taught.kinds, near, prints, colour, aslant))
    return verdict.judge(a_die(slope=slope), looks, [asked])


def a_slope(unlike):
    """A die that slopes to the right, steeper than flat ones and away from where they slope to alike."""
    return lean.Slope(np.array([1.0, 0.0]), np.zeros(2), unlike, unlike)


def a_die(*, slope=0.0, rough=0.0, body=(0, 0, 0)):
    frame = np.full((60, 60, 3), body, np.uint8)
    return verdict.Sight(
        frame,
        Box(10, 10, 40, 40),
        slope=a_slope(slope),
        rough=rough,
        partial=False,
    )


def a_face(at, clear, else_):
    return [clear if face == at else else_ for face in range(10)]


def test_a_d10_whose_print_fits_is_sure_though_the_network_takes_it_for_another_die():
    near = a_face(3, -10.0, -60.0)
    die = judged(near, a_face(3, 0.85, 0.5), digit=3, other=0.7)
    assert (die.face, die.sure) == ("3", True)
    assert judged(a_face(3, -9000.0, -9050.0), a_face(3, 0.85, 0.5), digit=3).sure, "however far from all"
    strange = judged(near, a_face(3, 0.55, 0.5), digit=3, other=0.7)
    assert (strange.face, strange.sure) == ("3", False)


def test_a_d10_is_cocked_by_less_than_other_dice():
    near, prints = a_face(3, -10.0, -60.0), a_face(3, 0.85, 0.5)
    flat = judged(near, prints, digit=3, slope=0.12)
    assert (flat.sure, flat.cocked) == (True, False)
    cocked = judged(near, prints, digit=3, slope=0.14)
    assert (cocked.sure, cocked.cocked, cocked.confidence) == (False, True, 0.5)
    assert judged(near, prints, digit=3, slope=0.4, legible=0.3).confidence < 0.4


@pytest.mark.parametrize(("kind", "flat"), [("d6num", True), ("d10", False)])
def test_an_untaught_d10_too_is_cocked_by_less_than_other_dice(kind, flat):
    look = a_four(verdict.column(sets.load(kind).kinds[0]), 1.0, faces.SYMBOLS)
    die = judged_as([kind], look, slope=0.2)
    assert (die.sure, die.confidence > 0.9) == (flat, flat)
    assert judged_as([kind], look, slope=0.19).sure


def test_one_witness_alone_is_not_enough():
    near = a_face(3, -10.0, -260.0)
    assert judged(near, a_face(3, 0.85, 0.5), digit=7).sure
    alone = judged(near, a_face(5, 0.85, 0.7), digit=7)
    assert (alone.face, alone.sure) == ("3", False)


@pytest.mark.parametrize(("other", "backs"), [(0.87, True), (0.89, False)])
def test_a_witness_to_whom_another_face_looks_hardly_better_backs_the_one_that_is_named(other, backs):
    prints = a_face(3, 0.85, 0.5)
    prints[5] = other
    assert judged(a_face(3, -10.0, -110.0), prints, digit=7).sure is backs


@pytest.mark.parametrize(("others", "sure"), [(1, True), (2, False)])
def test_most_looks_have_to_say_the_same(others, sure):
    said = [3] * (6 - others) + [7] * others
    near = [a_face(face, -10.0, -60.0) for face in said]
    assert judged(near, a_face(3, 0.85, 0.5), digit=said).sure is sure
    looks = a_four(faces.PIPS, 1.0, faces.SYMBOLS)
    four, nearly = np.eye(6)[3], np.array([0, 0, 0, 0.49, 0.51, 0])
    six = [np.repeat(part[:1], 6, axis=0) for part in looks]
    six[0] = np.array([four] * (6 - others) + [nearly] * others, np.float32)
    assert judged_as(["d6"], View(*six)).sure is sure


@pytest.mark.parametrize(("digit", "sure"), [(3, True), (7, False)])
def test_of_the_three_witnesses_of_a_numeral_one_may_say_another(digit, sure):
    die = judged(a_face(7, -10.0, -60.0), a_face(3, 0.95, 0.3), digit=digit)
    assert (die.face, die.sure) == ("3", sure)


@pytest.mark.parametrize(
    ("kind", "fit", "sure"),
    [("d10", 0.72, True), ("d10", 0.7, False), ("d6num", 0.54, True), ("d6num", 0.5, False)],
)
def test_a_numeral_is_sure_from_a_print_on_that_fits(kind, fit, sure):
    count = len(sets.load(kind).kinds[0].faces)
    die = judged(
        a_face(3, -10.0, -60.0)[:count], a_face(3, fit, 0.2)[:count], digit=3 + (count == 6), kind=kind
    )
    assert die.sure is sure


def test_a_die_that_was_sure_is_even_odds_once_it_is_in_doubt():
    die = judged(a_face(3, -10.0, -60.0), a_face(3, 0.85, 0.5), digit=3)
    doubted = verdict.in_doubt(die)
    assert (doubted.face, doubted.sure, doubted.confidence) == (die.face, False, 0.5)


def test_a_taught_numeral_that_can_hardly_be_read_or_is_of_no_sure_colour_is_asked_about():
    near, prints = a_face(3, -10.0, -60.0), a_face(3, 0.85, 0.5)
    assert not judged(near, prints, digit=3, legible=0.6).sure
    assert not judged(near, prints, digit=3, colour=("red", 0.5)).sure
    assert judged(near, prints, digit=3, colour=("red", 0.99)).colour == "red"


@pytest.mark.parametrize(("chance", "colour"), [(0.995, "red"), (0.98, None)])
def test_pips_are_not_asked_about_for_their_colour(chance, colour):
    d6 = sets.load("d6")
    asked = verdict.Asked(d6, Told(d6.kinds, [], [], ("red", chance)))
    looks = a_four(faces.PIPS, 1.0, faces.SYMBOLS)
    die = verdict.judge(a_die(), looks, [asked])
    assert (die.face, die.colour, die.sure) == ("4", colour, True)


@pytest.mark.parametrize(("slope", "sure"), [(0.21, True), (0.23, False)])
def test_taught_pips_are_cocked_by_less_than_untaught_ones(slope, sure):
    d6 = sets.load("d6")
    looks = a_four(faces.PIPS, 1.0, faces.SYMBOLS)
    taught = verdict.judge(a_die(slope=slope), looks, [verdict.Asked(d6, Told(d6.kinds, [], []))])
    assert taught.sure is sure
    assert verdict.judge(a_die(slope=slope), looks, [verdict.Asked(d6, None)]).sure


@pytest.mark.parametrize(
    ("fit", "slope", "sure"),
    [
        (0.72, 0.0, True),
        (0.56, 0.0, False),
        (0.72, 0.15, True),
        (0.99, 0.17, False),  # however well its print fits
    ],
)
def test_a_symbol_is_sure_from_a_print_on_that_fits_and_as_long_as_the_die_lies_flat(fit, slope, sure):
    die = a_star(fit, slope=slope)
    assert (die.face, die.sure) == ("star", sure)


@pytest.mark.parametrize(
    ("slope", "rough", "aslant", "sure"),
    [
        (0.1, 0.0, 0.08, True),
        (0.1, 0.0, 0.12, False),
        (0.16, 0.0, 0.05, False),
        (0.16, 0.1, 0.05, True),  # some of it is the network's own error
        (0.04, 0.0, 0.5, True),  # it doesn't seem to slope at all
        (0.17, 0.0, -0.1, False),  # to fit worse is no sign that it lies flat
    ],
)
def test_a_symbol_that_fits_better_as_on_a_die_that_slopes_is_asked_about(slope, rough, aslant, sure):
    assert a_star(0.8, slope=slope, rough=rough, aslant=aslant).sure is sure


@pytest.mark.parametrize(("kind", "most"), [("d6num", 0.07), ("d10", 0.04)])
def test_a_numeral_that_fits_better_as_on_a_die_that_slopes_is_asked_about(kind, most):
    count = len(sets.load(kind).kinds[0].faces)
    near, prints, digit = a_face(3, -10.0, -60.0)[:count], a_face(3, 0.85, 0.5)[:count], 3 + (count == 6)
    for aslant in (most - 0.02, most + 0.02):
        die = judged(near, prints, digit=digit, kind=kind, slope=0.1, aslant=aslant)
        assert die.sure is (aslant < most)


@pytest.mark.parametrize(("steep", "sure"), [(0.0, False), (0.1, True)])
def test_a_print_that_seems_steep_on_its_samples_is_forgiven_as_much(steep, sure):
    assert a_star(0.8, slope=0.2, steep=steep).sure is sure


def test_a_symbol_of_a_die_that_is_half_taught_is_asked_about():
    assert not a_star(0.9, complete=False).sure


@pytest.mark.parametrize(("apart", "sure"), [(0.3, True), (0.01, False)])
def test_a_symbol_whose_print_fits_hardly_better_than_others_is_asked_about(apart, sure):
    assert a_star(0.9, nearer=0.0, apart=apart).sure is sure


@pytest.mark.parametrize(("nearer", "sure"), [(0.02, True), (0.05, False)])
def test_a_symbol_that_looks_more_like_another_but_for_its_print_is_asked_about(nearer, sure):
    die = a_star(0.9, nearer=nearer)
    assert (die.face, die.sure) == ("star", sure)


def test_what_fits_no_print_is_foreign_though_it_is_a_symbol():
    assert [a_star(fit).foreign for fit in (0.3, 0.4)] == [True, False]


def a_star(fit, *, slope=0.0, rough=0.0, aslant=0.0, steep=0.0, complete=True, nearer=-40.0, apart=40.0):
    """A die with a symbol that the samples take for a star, whose print fits so well.

    By its print alone, if all other faces are `nearer`. Their prints fit so much worse as they are `apart`.
    """
    dday = sets.load("dday")
    gallery = Told(
        dday.kinds,
        *(
            [at if face == "star" else else_ for face in dday.kinds[0].faces]
            for at, else_ in ((0, nearer), (fit, fit - apart))
        ),
        aslant=aslant,
        steep=steep,
    )
    gallery.complete = gallery.complete if complete else set()
    kinds = np.tile(np.eye(6, dtype=np.float32)[faces.SYMBOLS], (2, 1))
    looks = View(NOTHING, kinds, np.ones(2, np.float32), np.zeros((2, 3)), NOTHING, NOTHING)
    return verdict.judge(a_die(slope=slope, rough=rough), looks, [verdict.Asked(dday, gallery)])


def a_four(kind, share, rival):
    """A die that the networks read as a 4, and that is of a kind by that share, else of another."""
    kinds = np.zeros((2, 6), np.float32)
    kinds[:, kind], kinds[:, rival] = share, 1 - share
    pips, digits = (np.tile(np.eye(n, dtype=np.float32)[at], (2, 1)) for n, at in ((6, 3), (10, 4)))
    return View(pips, kinds, np.ones(2, np.float32), np.zeros((2, 3)), NOTHING, digits)


def judged_as(asked, looks, *, slope=0.0, rough=0.0, body=(0, 0, 0)):
    wanted = [verdict.Asked(sets.load(name), None) for name in asked]
    return verdict.judge(a_die(slope=slope, rough=rough, body=body), looks, wanted)


@pytest.mark.parametrize(
    ("asked", "kind", "share", "rival", "sure"),
    [
        (["d6"], faces.PIPS, 0.5, faces.SYMBOLS, True),
        (["d6"], faces.PIPS, 0.5, faces.NOTHING, True),
        (["d6"], faces.PIPS, 0.3, faces.SYMBOLS, False),
        (["d6"], faces.PIPS, 0.4, faces.SYMBOLS, True),
        (["d6num"], faces.D6_NUMERALS, 0.5, faces.SYMBOLS, True),
        (["d6num"], faces.D6_NUMERALS, 0.35, faces.SYMBOLS, False),
        (["d6num"], faces.D6_NUMERALS, 0.5, faces.NOTHING, False),
        (["d6"], faces.PIPS, 0.5, faces.D10_NUMERALS, True),
        (["d6", "d10"], faces.PIPS, 0.5, faces.D10_NUMERALS, False),
        (["d6num"], faces.D6_NUMERALS, 0.5, faces.D10_NUMERALS, True),
        (["d6num", "d10"], faces.D6_NUMERALS, 0.5, faces.D10_NUMERALS, False),
        (["d10"], faces.D10_NUMERALS, 0.4, faces.OTHER, True),
        (["d10"], faces.D10_NUMERALS, 0.2, faces.OTHER, False),
        (["d10"], faces.D10_NUMERALS, 0.4, faces.SYMBOLS, False),
    ],
)
def test_a_die_is_rather_of_an_asked_kind_than_of_another(asked, kind, share, rival, sure):
    die = judged_as(asked, a_four(kind, share, rival))
    assert (die.face, die.sure) == ("4", sure)


def test_what_counts_as_another_asked_kind_is_not_counted_twice():
    kinds = np.zeros((2, 6), np.float32)
    kinds[:, [faces.D6_NUMERALS, faces.D10_NUMERALS, faces.SYMBOLS]] = 0.52, 0.1, 0.38
    looks = a_four(faces.D6_NUMERALS, 1.0, faces.SYMBOLS)._replace(kinds=kinds)
    assert judged_as(["d6num", "d10"], looks).sure


@pytest.mark.parametrize(("kind", "face"), [("d6num", "6"), ("d10", "9")])
def test_what_looks_like_a_nine_is_a_six_where_there_is_no_nine(kind, face):
    column = verdict.column(sets.load(kind).kinds[0])
    nine = np.tile(np.eye(10, dtype=np.float32)[9], (2, 1))
    die = judged_as([kind], a_four(column, 1.0, faces.SYMBOLS)._replace(digits=nine))
    assert (die.face, die.sure) == (face, True)


def test_a_numeral_that_no_face_of_a_die_shows_is_asked_about():
    seven = np.tile(np.eye(10, dtype=np.float32)[7], (2, 1))
    die = judged_as(["d6num"], a_four(faces.D6_NUMERALS, 1.0, faces.SYMBOLS)._replace(digits=seven))
    assert (die.sure, die.foreign) == (False, False)


@pytest.mark.parametrize(
    ("body", "colour", "sure"),
    [((30, 30, 170), "red", True), ((31, 30, 30), "black", True), ((30, 30, 90), "black", False)],
)
def test_a_die_that_is_read_untaught_has_its_colour_by_name_or_is_asked_about(body, colour, sure):
    look = a_four(faces.D10_NUMERALS, 1.0, faces.SYMBOLS)
    die = judged_as(["okinawa"], look, body=body)
    assert (die.die, die.colour, die.face, die.sure) == ("d10", colour, "4", sure)
    assert judged_as(["d10"], look, body=body).colour is None
    action = judged_as(["okinawa"], a_four(faces.D6_NUMERALS, 1.0, faces.SYMBOLS), body=body)
    assert (action.die, action.colour, action.sure) == ("action", None, True)


@pytest.mark.parametrize(("legible", "sure"), [(0.9, True), (0.78, True), (0.7, False)])
def test_a_clear_face_counts_for_more_than_the_doubt_whether_it_can_be_read(legible, sure):
    look = a_four(faces.PIPS, 1.0, faces.SYMBOLS)._replace(readable=np.full(2, legible, np.float32))
    assert judged_as(["d6"], look).sure is sure


@pytest.mark.parametrize(
    ("legible", "slope", "sure"),
    [(0.8, 0.1, True), (0.8, 0.25, False), (1.0, 0.25, True), (1.0, 0.28, False)],
)
def test_the_more_a_die_slopes_the_clearer_its_face_has_to_be(legible, slope, sure):
    look = a_four(faces.PIPS, 1.0, faces.SYMBOLS)._replace(readable=np.full(2, legible, np.float32))
    assert judged_as(["d6"], look, slope=slope).sure is sure


@pytest.mark.parametrize(("share", "foreign"), [(0.04, True), (0.08, False)])
def test_a_die_is_foreign_when_the_network_itself_says_so(share, foreign):
    die = judged_as(["d6"], a_four(faces.PIPS, share, faces.SYMBOLS))
    assert (die.foreign, die.sure) == (foreign, False)
    assert not foreign or die.confidence == pytest.approx(1 - share)


def test_a_die_that_is_of_one_asked_kind_and_looks_like_another_is_asked_about():
    kinds = np.zeros((2, 6), np.float32)
    kinds[:, [faces.PIPS, faces.D10_NUMERALS, faces.SYMBOLS]] = 0.05, 0.3, 0.65
    looks = a_four(faces.PIPS, 1.0, faces.SYMBOLS)._replace(kinds=kinds, digits=EQUAL)
    die = judged_as(["d6", "d10"], looks)
    assert (die.die, die.foreign, die.sure) == ("d6", False, False)


@pytest.mark.parametrize("kind", ["d6num", "d10"])
def test_dice_that_have_no_samples_or_too_few_are_read_as_if_untaught(kind):
    d6num, d10 = sets.load("d6num").kinds + sets.load("d10").kinds
    gallery = Told((d10,), a_face(3, -10.0, -60.0), a_face(3, 0.3, 0.2))
    gallery.complete = set()
    look = a_four(verdict.column(sets.load(kind).kinds[0]), 1.0, faces.SYMBOLS)
    die = verdict.judge(a_die(), look, [verdict.Asked(sets.DiceSet("both", (d6num, d10)), gallery)])
    assert (die.die, die.face, die.sure) == (kind, "4", True)


def test_where_nothing_that_is_asked_for_can_be_read_untaught_all_is_foreign():
    die = judged_as(["dday"], a_four(faces.PIPS, 0.5, faces.SYMBOLS))
    assert (die.foreign, die.confidence) == (True, 1.0)


@pytest.mark.parametrize(("share", "looked_into"), [(0.01, ["d10"]), (0.05, ["d6num", "d10"])])
def test_samples_of_a_kind_that_a_die_is_hardly_of_are_not_held_against_it(share, looked_into):
    class Noting(Told):
        def correlations(self, frame, box, lean, kind):
            noted.append(kind.name)
            return np.full(len(kind.faces), 0.8)

        def nearness(self, looks, kind):
            return np.zeros((2, len(kind.faces)))

    noted: list[str] = []
    both = sets.DiceSet("both", sets.load("d6num").kinds + sets.load("d10").kinds)
    looks = a_four(faces.D6_NUMERALS, share, faces.D10_NUMERALS)
    asked = verdict.Asked(both, Noting(both.kinds, [], []))
    die = verdict.judge(a_die(), looks, [asked])
    assert (die.die, noted) == ("d10", looked_into)


def test_a_die_that_is_looked_at_again_is_held_against_the_samples_once():
    class Noting(Told):
        def correlations(self, frame, box, lean, kind):
            noted.append(kind.name)
            return super().correlations(frame, box, lean, kind)

    noted: list[str] = []
    d10, die = sets.load("d10"), a_die()
    asked = [verdict.Asked(d10, Noting(d10.kinds, a_face(3, -10.0, -60.0), a_face(3, 0.85, 0.5)))]
    looks = a_four(faces.D10_NUMERALS, 1.0, faces.SYMBOLS)
    assert verdict.judge(die, looks, asked) == verdict.judge(die, looks, asked)
    assert noted == ["d10"]


@pytest.mark.parametrize(
    ("score", "nothing", "none"), [(0.5, 0.3, False), (0.5, 0.5, True), (0.7, 0.5, False), (0.7, 0.9, True)]
)
def test_what_the_finder_is_clear_about_is_dropped_less_readily(score, nothing, none):
    look = a_four(faces.PIPS, 1 - nothing, faces.NOTHING)
    assert verdict.is_none(find.Candidate(Box(10, 10, 40, 40), score), look) == none
