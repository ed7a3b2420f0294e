"""Icons and diagrams of classes: annotations -> typed shapes -> SVG."""
