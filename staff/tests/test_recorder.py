"""The recorder: what it attributes to which place, and what it leaves open."""

import copy
from collections.abc import Iterable

from api import AbstractGameState, TicTacToe, as_game_state, parse_tree, tree_state
from grader.child.recorder import Recorder

FOUR_LEAVES = "root\n  A\n    3\n    12\n  B\n    2\n    8\n"


def watched(recorder: Recorder, tree: str = FOUR_LEAVES) -> AbstractGameState:
    """The root of a tree, as the recorder gives it to a search."""
    return recorder.watch(tree_state(parse_tree(tree)))


def watched_squares(recorder: Recorder, squares: str) -> AbstractGameState:
    """A position of tic-tac-toe, as the recorder gives it to a search."""
    return recorder.watch(as_game_state(TicTacToe(), squares))


def leaves(state: AbstractGameState) -> list[AbstractGameState]:
    """The leaves below a state, from left to right."""
    if state.is_game_over():
        return [state]
    return [leaf for child in state.generate_next_states() for leaf in leaves(child)]


def evaluate(states: Iterable[AbstractGameState]) -> None:
    """Evaluate states, one after the other."""
    for state in states:
        state.get_endgame_score()


def test_every_evaluation_has_its_place_and_its_turn() -> None:
    recorder = Recorder()
    evaluate(reversed(leaves(watched(recorder))))
    report = recorder.report()
    assert report["order"] == [(1, 1), (1, 0), (0, 1), (0, 0)]
    assert report["evaluated"] == 4
    assert report["repeated"] == 0
    assert report["unattributed"] == 0


def test_repetitions_are_counted_apart() -> None:
    recorder = Recorder()
    state = watched(recorder)
    evaluate(leaves(state))
    evaluate(leaves(state))
    report = recorder.report()
    assert report["evaluated"] == 4
    assert report["repeated"] == 4


def test_a_copy_is_found_by_equality() -> None:
    recorder = Recorder()
    copied = copy.deepcopy(watched(recorder))
    evaluate(copy.deepcopy(leaf) for leaf in leaves(copied))
    report = recorder.report()
    assert report["evaluated"] == 4
    assert report["unattributed"] == 0


def test_what_stands_in_two_places_is_attributed_to_none() -> None:
    tree = parse_tree(FOUR_LEAVES)
    tree.children[1] = tree.children[0]
    recorder = Recorder()
    evaluate(leaves(recorder.watch(tree_state(tree))))
    assert recorder.report()["unattributed"] == 4


def test_equal_positions_in_two_places_are_told_apart() -> None:
    recorder = Recorder()
    evaluate(leaves(watched_squares(recorder, "XOXOXO...")))
    assert recorder.report()["unattributed"] == 0


def test_a_copy_of_a_position_in_two_places_is_attributed_to_none() -> None:
    recorder = Recorder()
    ends = leaves(watched_squares(recorder, "XO.X.O..."))
    evaluate(copy.deepcopy(end) for end in ends)
    assert recorder.report()["unattributed"] > 0


def test_a_table_may_save_what_is_below_a_position_that_was_met_before() -> None:
    """A search with a table counts what a search without one evaluates."""
    recorder = Recorder()
    without_table = len(leaves(watched_squares(recorder, "XOXO.....")))
    counts: dict[object, int] = {}

    def count_with_table(state: AbstractGameState) -> int:
        if state not in counts:
            counts[state] = count_anew(state)
        return counts[state]

    def count_anew(state: AbstractGameState) -> int:
        if state.is_game_over():
            state.get_endgame_score()
            return 1
        return sum(map(count_with_table, state.generate_next_states()))

    with_table = count_with_table(watched_squares(recorder, "XOXO....."))
    report = recorder.report()
    assert with_table == without_table
    assert with_table == report["evaluated"] + report["alike"]
    assert report["alike"] > 0


def test_an_object_that_turns_up_a_second_time_saves_nothing() -> None:
    """Its place is not certain any more, but the places below it are."""
    tree = parse_tree("root\n  A\n    X\n      3\n      5\n  B\n    8\n")
    tree.children[1].children[0] = tree.children[0].children[0]
    recorder = Recorder()
    evaluate(leaves(recorder.watch(tree_state(tree))))
    assert recorder.report()["alike"] == 0


def test_a_heuristic_is_watched_whatever_way_it_is_called() -> None:
    recorder = Recorder()
    first, second = watched(recorder).generate_next_states()
    heuristic = recorder.watch_heuristic(lambda node, maximize=True: maximize)
    assert heuristic(first.snapshot, False) is False
    assert heuristic(second.snapshot, maximize=False) is False
    heuristic("no snapshot of this tree")
    report = recorder.report()
    assert report["order"] == [(0,), (1,)]
    assert report["unattributed"] == 1


def test_what_an_earlier_search_left_behind_is_found_by_equality() -> None:
    recorder = Recorder()
    heuristic = recorder.watch_heuristic(lambda node, flag: 7)
    left_behind = leaves(watched(recorder))
    evaluate(leaves(watched(recorder))[:1])
    evaluate(left_behind[:1])
    heuristic(left_behind[1].snapshot, True)
    report = recorder.report()
    assert report["order"] == [(0, 0), (0, 1)]
    assert report["repeated"] == 1
    assert report["unattributed"] == 0


def test_the_same_state_is_searched_anew() -> None:
    recorder = Recorder()
    state = watched(recorder, "root\n  3\n  5")
    evaluate(leaves(state)[:1])
    recorder.watch_again()
    evaluate(leaves(state)[1:])
    assert recorder.report()["order"] == [(1,)]


def test_each_recorder_stands_alone() -> None:
    """A page that shows two searches would have two recorders."""
    busy, idle = Recorder(), Recorder()
    four, one = leaves(watched(busy)), leaves(watched(idle))[:1]
    evaluate([*four, *one])
    assert busy.report()["evaluated"] == 4
    assert idle.report()["evaluated"] == 1
    assert busy.report()["unattributed"] == 0
    assert idle.report()["unattributed"] == 0
