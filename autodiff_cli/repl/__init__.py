"""The interactive prompt: a session that takes statements, and the terminal in which they are typed."""
