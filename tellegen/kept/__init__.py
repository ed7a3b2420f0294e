"""What was made before, on disk: files with checksums, records as pickles, and what they were made from."""
