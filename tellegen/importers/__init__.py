"""What other programs wrote, as components: one folder for each format."""
