"""The networks of the golden texts. Each is written with the parts beside it, so that the library may change freely."""
