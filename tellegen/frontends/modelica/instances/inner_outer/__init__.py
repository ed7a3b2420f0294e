"""outer declarations and the inner elements and classes that they mean."""
