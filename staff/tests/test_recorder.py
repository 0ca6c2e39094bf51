"""The recorder: what it attributes to which place, and what it leaves open."""

import copy

from api import AbstractGameState, TicTacToe, as_game_state, parse_tree, tree_state
from grader.child.recorder import Recorder

TREE = "root\n  A\n    3\n    12\n  B\n    2\n    8\n"


def leaves(state: AbstractGameState) -> list[AbstractGameState]:
    """The leaves below a state, from left to right."""
    if state.is_game_over():
        return [state]
    return [leaf for child in state.generate_next_states() for leaf in leaves(child)]


def test_every_evaluation_has_its_place_and_its_turn() -> None:
    recorder = Recorder()
    for leaf in reversed(leaves(recorder.watch(tree_state(parse_tree(TREE))))):
        leaf.get_endgame_score()
    report = recorder.report()
    assert report["order"] == [(1, 1), (1, 0), (0, 1), (0, 0)]
    assert report["evaluated"] == 4
    assert report["repeated"] == 0
    assert report["unattributed"] == 0


def test_repetitions_are_counted_apart() -> None:
    recorder = Recorder()
    state = recorder.watch(tree_state(parse_tree(TREE)))
    for leaf in [*leaves(state), *leaves(state)]:
        leaf.get_endgame_score()
    report = recorder.report()
    assert (report["evaluated"], report["repeated"]) == (4, 4)


def test_a_copy_is_found_by_equality() -> None:
    recorder = Recorder()
    for leaf in leaves(copy.deepcopy(recorder.watch(tree_state(parse_tree(TREE))))):
        copy.deepcopy(leaf).get_endgame_score()
    assert recorder.report()["evaluated"] == 4
    assert recorder.report()["unattributed"] == 0


def test_what_stands_in_two_places_is_attributed_to_none() -> None:
    shared = parse_tree(TREE)
    shared.children[1] = shared.children[0]
    recorder = Recorder()
    for leaf in leaves(recorder.watch(tree_state(shared))):
        leaf.get_endgame_score()
    assert recorder.report()["unattributed"] == 4


def test_equal_positions_in_two_places_are_told_apart() -> None:
    recorder = Recorder()
    for leaf in leaves(recorder.watch(as_game_state(TicTacToe(), "XOXOXO..."))):
        leaf.get_endgame_score()
    assert recorder.report()["unattributed"] == 0


def test_a_copy_of_a_position_in_two_places_is_attributed_to_none() -> None:
    recorder = Recorder()
    for leaf in leaves(recorder.watch(as_game_state(TicTacToe(), "XO.X.O..."))):
        copy.deepcopy(leaf).get_endgame_score()
    assert recorder.report()["unattributed"] > 0


def test_a_table_may_save_what_is_below_a_position_that_was_met_before() -> None:
    """A search with a table counts what a search without one evaluates."""
    recorder = Recorder()
    every_way = leaves(recorder.watch(as_game_state(TicTacToe(), "XOXO.....")))
    table: dict[object, int] = {}

    def count(state: AbstractGameState) -> int:
        if state not in table:
            if state.is_game_over():
                state.get_endgame_score()
            table[state] = sum(map(count, state.generate_next_states())) or 1
        return table[state]

    counted = count(recorder.watch(as_game_state(TicTacToe(), "XOXO.....")))
    report = recorder.report()
    assert counted == len(every_way) == report["evaluated"] + report["alike"]
    assert report["evaluated"] < counted


def test_an_object_that_turns_up_a_second_time_saves_nothing() -> None:
    """Its place is not certain any more, but the places below it are."""
    shared = parse_tree("root\n  A\n    X\n      3\n      5\n  B\n    8\n")
    shared.children[1].children[0] = shared.children[0].children[0]
    recorder = Recorder()
    for leaf in leaves(recorder.watch(tree_state(shared))):
        leaf.get_endgame_score()
    assert recorder.report()["alike"] == 0


def test_a_heuristic_is_watched_whatever_way_it_is_called() -> None:
    recorder = Recorder()
    state = recorder.watch(tree_state(parse_tree(TREE)))
    heuristic = recorder.watch_heuristic(lambda node, maximize=True, **flags: 7)
    children = state.generate_next_states()
    assert heuristic(children[0].snapshot, False) == 7
    assert heuristic(children[1].snapshot, maximize=True) == 7
    heuristic("no snapshot of this tree")
    report = recorder.report()
    assert (report["order"], report["unattributed"]) == ([(0,), (1,)], 1)


def test_what_an_earlier_search_left_behind_is_found_by_equality() -> None:
    recorder = Recorder()
    kept = leaves(recorder.watch(tree_state(parse_tree(TREE))))
    heuristic = recorder.watch_heuristic(lambda node, flag: 7)
    leaves(recorder.watch(tree_state(parse_tree(TREE))))[0].get_endgame_score()
    kept[0].get_endgame_score()
    heuristic(kept[1].snapshot, True)
    report = recorder.report()
    assert report["order"] == [(0, 0), (0, 1)]
    assert report["repeated"] == 1
    assert report["unattributed"] == 0


def test_the_same_state_is_searched_anew() -> None:
    recorder = Recorder()
    state = recorder.watch(tree_state(parse_tree("root\n  3\n  5")))
    first, _ = leaves(state)
    first.get_endgame_score()
    recorder.watch_again()
    _, second = leaves(state)
    second.get_endgame_score()
    assert recorder.report()["order"] == [(1,)]


def test_each_recorder_stands_alone() -> None:
    """A page that shows two searches would have two recorders."""
    recorders = [Recorder(), Recorder()]
    left, right = (
        leaves(recorder.watch(tree_state(parse_tree(TREE)))) for recorder in recorders
    )
    for leaf in (*left, right[0]):
        leaf.get_endgame_score()
    reports = [recorder.report() for recorder in recorders]
    assert [report["evaluated"] for report in reports] == [4, 1]
    assert [report["unattributed"] for report in reports] == [0, 0]
