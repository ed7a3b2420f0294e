"""A model in a page: compiled to WebAssembly, with sliders for its parameters and the curves that follow."""
