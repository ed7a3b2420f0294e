"""What keeps a start of Tellegen short: classes finished on first use, imports without garbage collection."""
