from ..errors import AutodiffError
def syntax_error(source, at, table, state, opened): return AutodiffError("syntax", span=(at,at+1), source=source)
def unclosed(source, at): return AutodiffError("unclosed", span=(at,at+1), source=source)
def unopened(source, at): return AutodiffError("unopened", span=(at,at+1), source=source)
def not_a_literal(*a): return AutodiffError("lit")
def unknown_function(*a, **k): return AutodiffError("unknown")
def wrong_count(*a): return AutodiffError("count")
