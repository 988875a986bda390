"""The terminal: how wide it is, colours where a person looks, and the progress of long work; the home of Rich."""
