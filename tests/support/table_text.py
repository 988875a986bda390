"""Tables that tests write as text."""


def entries(text: str) -> list[str]:
    """The entries of a table: `a|b|c`, in several lines."""
    return text.strip().replace("\n", "|").split("|")
