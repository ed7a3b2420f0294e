"""Pages for browsers, each one file with everything in it: no network is used."""
