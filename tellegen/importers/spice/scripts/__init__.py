"""Scripts of netlists: what the commands between `.control` and `.endc` ask for."""
