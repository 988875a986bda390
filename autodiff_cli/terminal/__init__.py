"""The terminal: its width, colours only where a person looks, and the progress of long work; the home of Rich."""
