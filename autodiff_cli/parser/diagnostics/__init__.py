"""What to say about a text that is not a program: what is wrong, where, and how to mend it.

`syntax` is for words in the wrong place and `calls` for functions; `habits` and `nicknames` are tables of what people
type who come from other languages. Imported only where there is a mistake.
"""
