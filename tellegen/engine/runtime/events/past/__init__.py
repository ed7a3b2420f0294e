"""Native code that keeps what signals were, and reads it again."""
