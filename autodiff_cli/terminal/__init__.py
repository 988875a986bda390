"""The terminal: its size and colours, text that is safe to print, and the progress of long work; the home of Rich."""
