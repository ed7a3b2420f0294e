"""Between the page and the models: requests are checked, documents are held, messages are typed."""
