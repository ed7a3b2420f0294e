"""What is sent: between the page and the server, and between the server and the workers. Records here, JSON there."""
