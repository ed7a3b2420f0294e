"""What a model is made of, before any number is computed: its story, its linear graph, its equations."""
