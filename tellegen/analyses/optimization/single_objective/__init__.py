"""One objective: a method at work on a problem, and what it found."""
