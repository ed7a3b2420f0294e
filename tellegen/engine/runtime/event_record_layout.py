"""The words of the record that event code works on, and what it answers in them."""

from __future__ import annotations

ENTRIES = ("differences", "instants", "samples", "conditions", "values", "delays")
"""What is computed at events, each by an entry point of the program."""

EVENTS = (
    *(
        "t",
        "y",
        "yp",
        "p",
        "size",
        "solve",
        "context",
        "rescue",
        "opaque",
        "moment",
        "next",
        "departed",
        "span",
        "slack",
    ),
    *(f"{entry}_{part}" for entry in ENTRIES for part in ("calls", "count", "tables")),
    *("g", "g_before", "g_here", "instants", "at_one", "samples", "conditions", "values", "values_before"),
    *(
        "relation_count",
        "relation_flag",
        "relation_operator",
        "band",
        "roots",
        "passed",
        "last_back",
        "gap_back",
        "read_start",
        "read_place",
        "stages",
        "sizes",
    ),
    *("instant_count", "instant_flag", "instant_operator", "sample_count", "sample_flag"),
    *("tick", "tick_time", "offset_size"),
    *("condition_count", "was_true", "condition_when", "when_stamp", "stamp"),
    *("last_fired", "gap", "ratio", "shrinking", "zeno"),
    *("action_start", "action_verb", "action_place", "action_sign", "action_value", "action_follows"),
    *("always_count", "always_place", "always_sign", "always_value"),
    *("known_past_count", "known_past_place", "known_past_source", "past_is_solved_for"),
    *("unknown_past_count", "unknown_past_place", "unknown_past_source"),
    *("initial_index", "terminal_index", "terminal", "state_count", "state_index", "y_saved", "yp_saved"),
    *(
        "switched",
        "switched_count",
        "switched_room",
        "fired",
        "fired_count",
        "fired_room",
        "chosen",
        "chosen_count",
        "act_fresh",
    ),
    *("delay_count", "delay_place", "delays", "past_time", "past_value", "past_count", "past_room", "stretch_start"),
    *("jump", "jump_age", "jump_first", "jump_count", "jump_room"),
    *("message", "failed", "one_by_one", "rounds", "passing", "jumped"),
)
"""Words of the record of the events of one run."""

E = {name: k for k, name in enumerate(EVENTS)}
STAGES = 10
"""Points at which root functions are kept: the seven stages of an explicit step and three of the search for a root."""

NOTHING_CONSISTENT, NO_REST, SLIDING, NOT_FINITE = -1, -2, -3, -4
"""Values of the word `failed`; a positive one is the number of an action, an assertion, plus one."""
