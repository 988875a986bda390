"""Errors for texts that are not programs: what is wrong, where, and how to mend it. Imported only for an error.

`syntax` is for tokens in the wrong place, `calls` for calls and definitions; `idioms` and `synonyms` are tables of what
people type who come from other languages, and `idiom_matching` finds the idiom that fits the `context` of a place.
"""
