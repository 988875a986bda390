r"""What people type out of habit: from calculators, spreadsheets, Python, C, MATLAB, Wolfram, LaTeX and print.

Each row of a table is tried where the grammar cannot go on, and the first that fits says how to write it here. It fits
if `before` matches the text that ends at the place and `found` the text that begins there; their matches together are
what the error points at. Patterns may use the words that `advice.WORDS` spells out, hints and messages the patterns'
named groups and the fields of `advice.FIELDS`. A fix is offered where it is certain; a part that is not reads "…".
"""

from typing import NamedTuple


class Habit(NamedTuple):
    """One row: two patterns, and what to say."""

    before: str
    found: str
    hint: str
    message: str = "`{text}` has no meaning here"


NOT_A_NUMBER = "`{text}` is not a number"
ASSIGNS = "`=` gives a name its value, at the start of a statement"
DERIVATIVE = "autodiff finds derivatives itself: write the function alone"
PARENTHESES = "a formula goes on in the next line only inside parentheses"
CHOICE = "write where(condition, a, b)"
COMPARE = "to compare, write =="

THOUSANDS = Habit(
    r"(?<![\w.])\d{1,3}(?:,\d{3})*", r"(?:,\d{3})+(?:\.\d*)?(?![\w.]|,\d)", "write {digits}", NOT_A_NUMBER
)

ANYWHERE = (
    # ---- LaTeX
    Habit("", r"\\[dt]?frac\{(?P<a>[^{}]*)\}\{(?P<b>[^{}]*)\}", "write ({a})/({b})"),
    Habit("", r"\\sqrt\{(?P<a>[^{}]*)\}", "write sqrt({a})"),
    Habit("", r"\\sqrt\[(?P<n>\d+)\]\{(?P<a>[^{}]*)\}", "write nthroot({a}, {n})"),
    Habit("", r"\\(?:mathrm|mathit|text|operatorname)\{(?P<a>\w+)\}", "write {a}"),
    Habit("", r"\\(?:cdot|times|ast)(?![a-zA-Z])", "write *"),
    Habit("", r"\\div(?![a-zA-Z])", "write /"),
    Habit("", r"\\leq?(?![a-zA-Z])", "write <="),
    Habit("", r"\\geq?(?![a-zA-Z])", "write >="),
    Habit("", r"\\neq?(?![a-zA-Z])", "write !="),
    Habit("", r"\\infty(?![a-zA-Z])", "write inf"),
    Habit("", r"\\(?:left|right|[bB]igg?[lr]?|[,;:!]|q?quad(?![a-zA-Z]))", "remove it"),
    Habit("", r"\\(?P<name>[a-zA-Z]{2,})", "write {name}"),
    Habit("", r"\\(?=\s*\Z|[ \t]*[\r\n])", PARENTHESES),
    Habit("", r"\$(?=[A-Z]+\$?\d)", "remove the `$`"),
    Habit("", r"\$", "remove the `$`: a formula stands by itself"),
    # ---- Print
    Habit("", r"[‐‑‒–—―﹣－]", "write -"),
    Habit("", r"[❘∣∥‖]", "write abs(…) for an absolute value"),
    Habit("", r"[→⇒↦]", "a function is written f(x) = x^2"),
    Habit("", r"[≈≡]", COMPARE),
    Habit("", r"[∑∏∫∂∇∆]", "write the terms out, with the functions that `autodiff functions` lists"),
    Habit("", r"[⁄∕](?!\w*\()", "write /"),
    # ---- Brackets and quotes
    Habit("", r"\](?!\w)|[}⟩]", "write ) in place of `{text}`"),
    Habit("", r"[\"'`‘’‚‛“”„«»](?P<name>NAME|NUMBER)[\"'`‘’‛“”«»]", "write {name}, without quotation marks"),
    Habit("", r"[\"'`‘“”„«»]", "remove the quotation mark"),
)

AFTER_AN_OPERAND = (
    # ---- Numbers
    THOUSANDS,
    Habit(r"(?<![\w.])\d+", r"(?:_\d+)+(?:\.\d*)?(?!\w)", "write {digits}", NOT_A_NUMBER),
    Habit(r"(?<![\w.])\d{1,3}", r"(?:['’]\d{3})+(?:\.\d*)?(?![\w.])", "write {digits}", NOT_A_NUMBER),
    Habit(
        r"(?<![\w.])\d{1,3}\s",
        r"\d{3}(?:\s\d{3})*(?:\.\d*)?(?![\w.])",
        "write {digits}, or put an operator between the numbers",
        NOT_A_NUMBER,
    ),
    Habit(r"NUMBER", r"(?:\.\d*)+", "a number has one decimal point", NOT_A_NUMBER),
    Habit(r"(?P<a>NUMBER)", r",(?!\d{3}(?!\d))(?P<b>\d+)(?![\w,])", "for a decimal number write {a}.{b}"),
    Habit(
        r"(?<![\w.])0",
        r"[xX][\da-fA-F]+(?!\w)|[bB][01]+(?!\w)|[oO][0-7]+(?!\w)",
        "write {integer}",
        "`{text}` is not a decimal number",
    ),
    Habit(
        r"(?P<n>NUMBER)",
        r"(?P<e>[eE])(?!\w)",
        "write the exponent's digits, as in {n}{e}3, or {n}*{e} for a product",
        "the exponent of `{text}` has no digits",
    ),
    Habit(r"(?P<n>NUMBER)", r"(?P<i>[ij])(?!\w)", "numbers are real; for a product write {n}*{i}", NOT_A_NUMBER),
    Habit(r"(?P<n>NUMBER)", r"[dD](?P<x>[+-]?\d+)(?!\w)", "for an exponent write {n}e{x}", NOT_A_NUMBER),
    Habit(
        r"(?P<n>(?<![\w.])(?:\d+\.\d*|\.\d+))",
        r"(?P<f>[fFlL])(?!\w)",
        "write {n} for the number, or {n}*{f} for a product",
        NOT_A_NUMBER,
    ),
    Habit(r"(?P<n>(?<![\w.])\d+)\s*", r"(?P<f>[¼-¾⅐-⅞])", "write ({n} + {f})", NOT_A_NUMBER),
    # ---- Functions without parentheses, and powers of them
    Habit(
        r"(?P<f>TRIG)\s*(?:\^|\*\*)\s*\(?\s*[-−]\s*1\s*\)?\s*",
        r"(?=[\w(])",
        "write a{f}(…) for the inverse function, or 1/{f}(…) for the reciprocal",
    ),
    Habit(r"(?P<f>TRIG)", r"⁻¹", "write a{f}(…) for the inverse function, or 1/{f}(…) for the reciprocal"),
    Habit(r"(?P<f>ELEMENTARY)\s*(?:\^|\*\*)?\s*(?P<n>\d+|NAME|[²³])\s*", r"(?=\()", "write {f}{right}^{n}"),
    Habit(r"(?P<f>ELEMENTARY)\s*(?:\^|\*\*)?\s*(?P<n>\d+|NAME|[²³])\s*", r"(?=[\w.])", "write {f}({loose})^{n}"),
    Habit(r"(?P<f>ELEMENTARY)", r"(?P<n>[⁰¹²³⁴-⁹ⁿ]+)\s*(?=\()", "write {f}{right}^{n}"),
    Habit(r"(?P<f>ELEMENTARY)", r"(?P<n>[⁰¹²³⁴-⁹ⁿ]+)\s*(?=[\w.])", "write {f}({loose})^{n}"),
    Habit(r"(?P<f>ELEMENTARY|(?=[A-Z])(?i:FUNCTION))\s*", r"\[(?P<x>[^\[\]]*)\]", "write {function}({x})"),
    Habit(r"(?P<f>ELEMENTARY)\s*", r"\{(?P<x>[^{}]*)\}", "write {function}({x})"),
    # ---- Signs after an operand
    Habit("", r"!!", "there is no double factorial: write the product out"),
    Habit("", r"!", "write factorial({base})"),
    Habit(r"(?P<p>[²³]*)", r"(?P<q>[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]+)", "write {left}^{p}{q}"),
    Habit("", r"°", "write radians({base})"),
    Habit("", r"\?(?=(?P<a>PART):(?P<b>(?>PART))(?!\?))(?!\s*:)", "write where({condition}, {a}, {b})"),
    Habit("", r"\?", CHOICE),
    Habit("", r"if\b(?=(?P<c>[^?:;\r\n]{1,200}?)\belse\b(?P<b>PART))", "write where({c}, {condition}, {b})"),
    Habit("", r"\|\||∨", "write or"),
    Habit("", r"&&?|∧", "write and"),
    Habit("", r"\|", "write abs(…) for an absolute value, or between two conditions"),
    Habit(r"(?P<n>NAME)", r"['’′]+", "for another name write {n}_1; derivatives autodiff finds itself"),
    Habit("", r"['’′]+", DERIVATIVE),
    # ---- Names with brackets and dots
    Habit(
        r"(?<!\w)(?:np|numpy|jnp|math|cmath|Math|torch|tf|jax|scipy|special|mpmath|sympy|std)",
        r"(?:(?:\.|::)NAME)*(?:\.|::)(?P<f>NAME)",
        "write {function}",
    ),
    Habit(r"(?P<n>[^\W\d]\w*_)", r"\{(?P<i>\w+)\}", "write {n}{i}"),
    Habit(r"(?P<n>NAME)", r"\[(?P<i>\w+)\]", "a name stands for one number: write {n}_{i}"),
    Habit(r"[^\W\d]\w*_", r"\{", "a name has letters, digits and _"),
    Habit(r"(?P<n>NAME)\s*", r"\[", "a name stands for one number: write {n}_1, {n}_2, …"),
    Habit("", r"\.(?P<op>\*|/|\^)", "write {op}"),
    Habit(r"(?P<n>NAME)", r"\.(?P<m>FUNCTION)\(\s*\)", "write {m}({n})"),
    Habit(r"(?P<n>NAME)", r"\.(?P<m>NAME)(?=\()", "a function is called by its name alone, as in sin(x)"),
    Habit(r"(?P<n>NAME)", r"\.(?P<m>NAME)", "a name has no dots: write {n}_{m}"),
    Habit("", r"\.{2,}|…", PARENTHESES),
    Habit("", r"\[|\{", "write ( in place of `{text}`, with an operator before it"),
    Habit("", r";", "write , between arguments"),
    Habit("", r",", "a comma separates the arguments of a function, a ; statements"),
    # ---- Equals signs
    Habit("", r"=>", "to compare, write >="),
    Habit("", r"=<", "write <="),
    Habit(r"START(?P<n>-?NUMBER)\s*", r"=\s*(?P<x>NAME)(?=\s*(?:\Z|[;\n#]))", "write {x} = {n}", ASSIGNS),
    Habit(r"START\(\s*(?P<x>NAME)\s*\)\s*", r"=", "write {x} = …", ASSIGNS),
    Habit(r"(?<=[(,])\s*(?P<x>NAME)\s*", r"=", COMPARE + "; arguments go by their position, without names", ASSIGNS),
    Habit(
        r"(?P<a>NAME)\s*=\s*(?P<b>NAME)\s*",
        r"=(?!=)(?P<c>PART)",
        "write {b} = {c}; {a} = {b}",
        "a statement assigns one name",
    ),
    Habit("", r"=(?!=)", COMPARE, ASSIGNS),
    Habit("", r"~=", "write !="),
    Habit("", r":=", "write ="),
    Habit(r"START(?P<x>NAME)\s*", r":(?=\s)", "write {x} = …"),
    Habit(r"[A-Z]+\d+", r":(?=[A-Z]+\d)", "there are no ranges: write each value"),
    Habit("", r":", "an assignment is written with =, a choice where(condition, a, b)"),
    Habit(
        r"(?P<a>[<>=!]=|[<>≤≥≠])\s*(?P<b>PART)",
        r"(?P<c>[<>=!]=|[<>≤≥≠])",
        "write {comparand} {a} {b} and {b} {c} {compared}",
        "comparisons do not chain",
    ),
    Habit("", r"[<>=!]=|[<>≤≥≠]", "write a < b and b < c", "comparisons do not chain"),
    # ---- Words
    Habit("", r"(?:mod|rem|MOD)\b", "write {left} % {right}"),
    Habit("", r"(?:times|multiplied by)\b", "write *"),
    Habit("", r"(?:divided by|over)\b", "write /"),
    Habit("", r"div\b", "to round a quotient down, write floor(a/b)"),
    Habit("", r"xor\b", "write (a != 0) != (b != 0)"),
    Habit("", r"plus\b", "write +"),
    Habit("", r"minus\b", "write -"),
    Habit("", r"squared\b", "write {left}^2"),
    Habit("", r"cubed\b", "write {left}^3"),
    Habit("", r"AND\b", "write and"),
    Habit("", r"OR\b", "write or"),
    Habit("", r"(?:equals|is)\b", COMPARE),
    Habit(r"(?<!\w)d[a-z]?\s*/\s*d[^\W\d_]\d?\s*", r"(?=[\w(])", DERIVATIVE),
    Habit(
        r"START(?:let|var|const|val|local|auto|double|float|int|real|global|my|set)\s+",
        r"(?=NAME\s*=)",
        "leave out `{text}`",
    ),
    Habit(r"START(?P<a>NAME)\s+", r"(?P<b>NAME)(?=\s*=(?!=))", "for one name write {a}_{b}"),
    Habit("", r"NAME(?=\s*(?:\([^()=#]*\)\s*)?=(?!=))", "put a ; before `{text}`, where a statement begins"),
    Habit(r"START(?:def|function|func|fn|fun)\s+", r"(?=\w)", "a function is written f(x) = x^2"),
    Habit(
        r"START(?:import|from|using|include|load|require)\s+",
        r"(?=\w)",
        "remove the line: all functions are there from the start",
    ),
    Habit(
        r"START(?:return|print|echo|eval|plot|solve)\s+",
        r"(?=[\w(])",
        "leave out `{text}`: the last statement is the output",
    ),
    Habit(r"START(?:for|while)\s+", r"(?=[\w(])", "there are no loops: write the terms out"),
    Habit(r"(?<!\w)(?:if|elif|when|case)\s+", r"(?=[\w(])", CHOICE),
    Habit(r"(?<!\w)lambda\s+", r"(?=\w)", "a function is written f(x) = x^2"),
)

BEFORE_AN_OPERAND = (
    # ---- Two operators in a row
    Habit(r"START", r"=(?!=)", "leave it out: a formula does not begin with =", "`=` has nothing on its left"),
    Habit(r"START(?P<x>NAME)\s*(?P<op>\*\*|[-+*/%^])", r"=(?!=)", "write {x} = {x} {op} {grouped}"),
    Habit(r"START(?P<x>NAME)\s*(?P<op>\+|-)(?P=op)\s*", r"\Z|(?=[;\r\n])", "write {x} = {x} {op} 1"),
    Habit(r"(?P<op>[=!]=)", r"=", "write {op}"),
    Habit(r"(?<![<>=!])=", r"<", "write <="),
    Habit(r"(?<![<>=!])=", r">", "to compare, write >="),
    Habit(r"=", r"/=", "write !="),
    Habit(r"=", r"[!~]", "write != to compare, or (not {last})"),
    Habit(r"<", r">", "write !="),
    Habit(r"-", r">", "a function is written f(x) = x^2"),
    Habit(r"/", r"/", "to round a quotient down, write floor(a/b); a comment begins with #"),
    Habit(r"/", r"\*", "a comment begins with #"),
    Habit(r"\^", r"\^", "for a power write ^ once"),
    Habit(r"%", r"(?P<x>pi|e|inf)\b", "write {x}"),
    Habit(
        r"%\s*",
        r"",
        "% is the remainder of a division; for a percentage write {left}/100",
        "an operand is missing after `%`",
    ),
    # ---- Signs before an operand
    Habit("", r"/[/*]", "a comment begins with #"),
    Habit("", r"\|\|", "for a norm write hypot(x, y)"),
    Habit("", r"\|(?P<x>[^|\r\n]+)\|", "write abs({x})"),
    Habit("", r"\|", "write abs(…) for an absolute value"),
    Habit("", r"[!~¬]", "write (not {last})"),
    Habit(r"(?P<word>and|or|not)\s*", r"=(?!=)", "choose another name", "`{word}` is a reserved word"),
    Habit("", r"(?P<word>and|or|not)\s*=(?!=)", "choose another name", "`{word}` is a reserved word"),
    Habit("", r"not\b", "write (not {last})", "`not` needs parentheses here"),
    Habit("", r"(?P<word>and|or)\s*\((?P<a>PART),(?P<b>PART)\)", "write ({a} {word} {b})"),
    Habit("", r"∛", "write cbrt({argument})"),
    Habit("", r"∜", "write nthroot({argument}, 4)"),
    Habit("", r"(?P<p>[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]+)", "write {p}"),
    Habit("", r"%(?P<x>pi|e|inf)\b", "write {x}"),
    Habit("", r"@\s*\(", "a function is written f(x) = x^2"),
    Habit("", r"\[|\{", "write ( in place of `{text}`"),
    Habit("", r"\.{2,}|…", PARENTHESES),
)
