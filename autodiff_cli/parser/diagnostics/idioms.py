r"""Idioms that people bring from calculators, spreadsheets, Python, C, MATLAB, Wolfram, LaTeX and print.

The idioms of a table are tried where the grammar cannot go on, and the first that fits says how to write it here. One
fits if `before` matches the text that ends at the place and `after` the text that begins there; the error points at
both matches together. Patterns may use the words of `idiom_matching.ABBREVIATIONS`; hints and messages may name the
patterns' groups and the fields of `idiom_matching.FIELDS`. A correction is offered only where it is certain; a part of
the text that was not read is shown as "…".
"""

from typing import NamedTuple

from ...errors import Remedy


class Idiom(NamedTuple):
    """Two patterns, and the texts of the error for them."""

    before: str
    after: str
    hint: str
    message: str = "`{text}` has no meaning here"
    remedy: Remedy | None = None


NOT_A_NUMBER = "`{text}` is not a number"
ASSIGNS = "`=` gives a name its value, at the start of a statement"
DERIVATIVE = "autodiff finds derivatives itself: write the function alone; inside a program it is D(…, x)"
PARENTHESES = "a formula continues on the next line only inside parentheses"
DEFINITION = "a function is written f(x) = x^2"
COMMENT = "a comment begins with #"
CHOICE = "write where(condition, a, b)"
SUM = "write {function}({i}, {a}, {b}, {x})"
TERMS = "a sum of terms is written sum(i, 1, 3, i^2)"
FACTORS = "a product of factors is written prod(i, 1, 3, i^2)"
COMPARE = "to compare, write =="
INVERSE = "write a{f}({applied}) for the inverse function, or 1/{f}({applied}) for the reciprocal"
TIGHT = "the *, and parentheses around what belongs together"
EQUATION = "for an equation write {a} - {grouped}; its dy/dx is -D(F, x)/D(F, y) with this as F; "
UPDATE = "write {{x}} = {{x}} {{op}} {0}, or {{x}}1 = {{x}} {{op}} {0} where `{{x}}` is an input"

APART = r"(?:[,|]|(?:at|for|when|where|with)\b)\s*(?P<x>NAME)\s*=(?!=)\s*(?P<n>-?NUMBER)"
_SET_APART = Remedy("set apart", ("{x}={n}",), "write the formula alone, and pass the number in the point")

THOUSANDS = Idiom(
    r"(?<![\w.])\d{1,3}(?:,\d{3})*", r"(?:,\d{3})++(?:\.\d*)?(?![\w.]|,\d)", "write {digits}", NOT_A_NUMBER
)

ANYWHERE = (
    # ---- LaTeX
    Idiom(
        "",
        r"\\[dt]?frac\s*\{\s*(?:\\partial|d)(?![a-zA-Z]{2})[^{}]*\}\s*\{\s*(?:\\partial|d)\s*\w+[^{}]*\}",
        DERIVATIVE,
    ),
    Idiom("", r"\\(?:partial|nabla)(?![a-zA-Z])", DERIVATIVE),
    Idiom("", r"\\(?:i{0,3}nt|oint)(?![a-zA-Z])", "there are no integrals"),
    Idiom("", r"\\lim(?![a-zA-Z])", "there are no limits"),
    Idiom("", r"\\[dt]?frac\s*\{(?P<a>BRACED)\}\s*\{(?P<b>BRACED)\}", "write ({a})/({b})"),
    Idiom("", r"\\[dt]?frac\s*(?P<a>\w)\s*(?P<b>\w)", "write {a}/{b}"),
    Idiom("", r"\\[dt]?frac(?![a-zA-Z])", "a fraction is written a/b"),
    Idiom("", r"\\sqrt\s*\{(?P<a>BRACED)\}", "write sqrt({a})"),
    Idiom("", r"\\sqrt\s*\[(?P<n>\d+)\]\s*\{(?P<a>BRACED)\}", "write nthroot({a}, {n})"),
    Idiom("", r"\\sigma(?=\s*(?:\\left\s*)?\()", "write sigmoid"),
    Idiom("", r"\\(?:mathrm|mathit|text|operatorname)\{(?P<a>\w+)\}", "write {a}"),
    Idiom("", r"\\(?:cdot|times|ast)(?![a-zA-Z])", "write *"),
    Idiom("", r"\\div(?![a-zA-Z])", "write /"),
    Idiom("", r"\\leq?(?![a-zA-Z])", "write <="),
    Idiom("", r"\\geq?(?![a-zA-Z])", "write >="),
    Idiom("", r"\\neq?(?![a-zA-Z])", "write !="),
    Idiom("", r"\\infty(?![a-zA-Z])", "write inf"),
    Idiom("", r"[±∓]|\\(?:pm|mp)(?![a-zA-Z])", "for both signs write two formulas"),
    Idiom("", r"\\[bp]?mod(?![a-zA-Z])", "write {left} % {right}"),
    Idiom("", r"\\[lr][vV]ert(?![a-zA-Z])", "write abs(…) for an absolute value"),
    Idiom(
        "",
        r"\\(?P<f>sum|prod)(?:_\{(?P<i>\w)=(?P<a>BRACED)\}\^(?:\{(?P<b>BRACED)\}|(?P<n>\w)))",
        "write {f}({i}, {a}, {b}{n}, …)",
    ),
    Idiom("", r"\\sum(?![a-zA-Z])", TERMS),
    Idiom("", r"\\prod(?![a-zA-Z])", FACTORS),
    Idiom("", r"\\(?:left|right|[bB]igg?[lr]?|[,;:!]|q?quad(?![a-zA-Z]))", "remove it"),
    Idiom("", r"\\(?P<d>hat|bar|d?dot|tilde|overline)\s*\{(?P<a>\w+)\}", "write {a}_{d}"),
    Idiom("", r"\\(?:vec|bm|boldsymbol|math[a-z]{1,3})\s*\{(?P<a>\w+)\}", "write {a}"),
    Idiom("", r"\\(?P<name>FUNCTION|NAME)(?=\s*(?:\\left\s*)?\()", "write {name}"),
    Idiom("", r"\\(?P<f>FUNCTION)\s*(?=\w)", "write {f}({loose})"),
    Idiom("", r"\\(?P<name>[a-zA-Z]{2,})(?![a-zA-Z]|\s*[{\[_])", "write {name}"),
    Idiom("", r"\\[a-zA-Z]+|\\[()\[\]]", "", "`{text}` is LaTeX"),
    Idiom("", r"\\(?=\s*\Z|[ \t]*[\r\n])", PARENTHESES),
    Idiom("", r"\$(?=[A-Z]+\$?\d)", "remove the `$`"),
    Idiom("", r"\$", "remove the `$`: a formula stands by itself"),
    # ---- Print
    Idiom("", r"[‐‑‒–—―﹣－]", "write -"),
    Idiom("", r"[∥‖](?P<x>[^∥‖\r\n]+)[∥‖]", "write norm({x})"),
    Idiom("", r"⌊(?P<x>[^⌊⌋\r\n]+)⌋", "write floor({x})"),
    Idiom("", r"⌈(?P<x>[^⌈⌉\r\n]+)⌉", "write ceil({x})"),
    Idiom("", r"[∥‖]", "write norm(…) for the norm of a list"),
    Idiom("", r"[❘∣]", "write abs(…) for an absolute value"),
    Idiom("", r"[→⇒↦]", DEFINITION),
    Idiom("", r"[≈≡]", COMPARE),
    Idiom("", r"∑", TERMS),
    Idiom("", r"∏", FACTORS),
    Idiom("", r"[∂∇∆]", DERIVATIVE),
    Idiom("", r"∫", "there are no integrals"),
    Idiom("", r"[⁄∕](?!\w*\()", "write /"),
    # ---- Brackets, quotes and dots
    Idiom("", r"\](?!\w)|[}⟩]", "write ) in place of `{text}`"),
    Idiom("", r"[\"'`‘’‚‛“”„«»](?P<name>NAME|NUMBER)[\"'`‘’‛“”«»]", "write {name}, without quotation marks"),
    Idiom("", r"[\"'`‘“”„«»]", "remove the quotation mark"),
    Idiom("", r"\.{2,}|…", PARENTHESES),
)

RAISED = "[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]"
RAISED_TERM = "(?:[⁰¹²³⁴-⁹]++|[ⁿⁱ])"
SUMMED = r"(?P<f>(?<!\w)(?i:sum|prod(?:uct)?))\s*"
AFTER_AN_OPERAND = (
    # ---- Sums of other programs
    Idiom(SUMMED + r"\(\s*(?P<x>PART),\s*\(\s*(?P<i>NAME)\s*", r",(?P<a>PART),(?P<b>PART)\)\s*\)", SUM),
    Idiom(
        SUMMED + r"\(\s*(?P<i>NAME)\s*",
        r"=(?P<a>[^.,()]+?)(?:\.\.\.?|\bto\b)(?P<b>[^.,()]+),(?P<x>PART)\)",
        SUM,
        ASSIGNS,
    ),
    Idiom(
        SUMMED + r"\(\s*(?P<x>PART),\s*(?P<i>NAME)\s*",
        r"=(?P<a>[^.,()]+?)(?:\.\.\.?|\bto\b)(?P<b>[^.,()]+)\)",
        SUM,
        ASSIGNS,
    ),
    Idiom(
        SUMMED + r"\(\s*\[?(?P<x>PART)\s",
        r"for\s+(?P<i>NAME)\s+in\s+range\((?P<a>PART),(?P<b>PART)\)\s*\]?\s*\)",
        "write {function}({i}, {a}, {b} - 1, {x})",
    ),
    Idiom(
        SUMMED + r"\(\s*\[?(?P<x>PART)\s",
        r"for\s+(?P<i>NAME)\s+in\s+range\((?P<b>PART)\)\s*\]?\s*\)",
        "write {function}({i}, 0, {b} - 1, {x})",
    ),
    # ---- Numbers
    THOUSANDS,
    Idiom(r"(?<![\w.])\d+", r"(?:_\d+)+(?:\.\d*)?(?!\w)", "write {digits}", NOT_A_NUMBER),
    Idiom(r"(?<![\w.])\d{1,3}", r"(?:['’]\d{3})+(?:\.\d*)?(?![\w.])", "write {digits}", NOT_A_NUMBER),
    Idiom(
        r"(?<![\w.])\d{1,3}\s",
        r"\d{3}(?:\s\d{3})*(?:\.\d*)?(?![\w.])",
        "write {digits}, or put an operator between the numbers",
        NOT_A_NUMBER,
    ),
    Idiom(r"(?<![\w.])\d{1,3}\.\d{3}", r"(?:\.\d{3})*,\d+(?![\w,])", "write {decimal}", NOT_A_NUMBER),
    Idiom(r"NUMBER", r"(?:\.\d*)+", "a number has one decimal point", NOT_A_NUMBER),
    Idiom(
        r"\((?P<a>\d+)",
        r",(?P<b>\d+)\)",
        "for a list write [{a}, {b}], for a decimal number {a}.{b}",
    ),
    Idiom(r"(?<![\w.])(?P<a>\d+)", r",(?!\d{3}(?!\d))(?P<b>\d+)(?![\w,])", "for a decimal number write {a}.{b}"),
    Idiom(
        r"(?<![\w.])0",
        r"[xX][\da-fA-F]+(?!\w)|[bB][01]+(?!\w)|[oO][0-7]+(?!\w)",
        "write {integer}",
        "`{text}` is not a decimal number",
    ),
    Idiom(r"(?P<n>NUMBER)", r"(?P<e>[eE])[−‐‑‒–—﹣－](?P<x>\d+)(?!\w)", "write {n}{e}-{x}", NOT_A_NUMBER),
    Idiom(
        r"(?P<n>NUMBER)",
        r"(?P<e>[eE])(?!\w)",
        "write the exponent's digits, as in {n}{e}3, or {n}*{e} for a product",
        "the exponent of `{text}` has no digits",
    ),
    Idiom(r"(?P<n>NUMBER)", r"(?P<i>[ij])(?!\w)", "numbers are real; for a product write {n}*{i}", NOT_A_NUMBER),
    Idiom(r"(?P<n>NUMBER)", r"[dD](?P<x>[+-]?\d+)(?!\w)", "for an exponent write {n}e{x}", NOT_A_NUMBER),
    Idiom(
        r"(?P<n>(?<![\w.])(?:\d+\.\d*|\.\d+))",
        r"(?P<f>[fFlL])(?!\w)",
        "write {n} for the number, or {n}*{f} for a product",
        NOT_A_NUMBER,
    ),
    Idiom(r"(?P<n>(?<![\w.])\d+)\s*", r"(?P<f>[¼-¾⅐-⅞])", "write ({n} + {f})", NOT_A_NUMBER),
    # ---- Functions without parentheses, and powers of them
    Idiom(
        r"(?P<f>TRIG)(?:\s*(?:\^|\*\*)\s*\(?\s*[-−]\s*1\s*\)?|[-−]1)\s*",
        r"(?=[\w(])",
        INVERSE,
    ),
    Idiom(r"(?P<f>TRIG)", r"⁻¹", INVERSE),
    Idiom(r"(?P<f>ELEMENTARY)\s*(?:\^|\*\*)?\s*(?P<n>\d+|NAME|[²³])\s*", r"(?=\()", "write {f}{right}^{n}"),
    Idiom(r"(?P<f>ELEMENTARY)\s*(?:\^|\*\*)?\s*(?P<n>\d+|NAME|[²³])\s*", r"(?=[\w.])", "write {f}({loose})^{n}"),
    Idiom(r"(?P<f>ELEMENTARY)", r"(?P<n>[⁰¹²³⁴-⁹ⁿ]+)\s*(?=\()", "write {f}{right}^{n}"),
    Idiom(r"(?P<f>ELEMENTARY)", r"(?P<n>[⁰¹²³⁴-⁹ⁿ]+)\s*(?=[\w.])", "write {f}({loose})^{n}"),
    Idiom(r"(?P<f>ELEMENTARY)\s*", r"\{(?P<x>[^{}]*)\}", "write {function}({x})"),
    Idiom(r"(?<!\w)log_(?P<b>\d+|[a-zA-Z])\s+", r"(?=\w)", "write log({loose}, {b})"),
    Idiom(r"(?<!\w)log_", r"\{(?P<b>\w+)\}(?=\()", "write log({argument}, {b})"),
    # ---- Signs after an operand
    Idiom(
        r"START(?P<x>NAME)\s*=\s*(?P<n>-?NUMBER)\s*",
        r"±\s*(?P<u>NUMBER%?)(?=\s*(?:\Z|[;\n#]))",
        "",
        "`{n}±{u}` is not a number",
        Remedy("measured", ("{x}", "{n}", "{u}"), "write the value alone, and pass the measured one to `uncertainty`"),
    ),
    Idiom("", r"!!", "there is no double factorial: write the product out"),
    Idiom("", r"!", "write factorial({base})"),
    Idiom(r"(?P<p>[²³]+)", rf"(?P<q>[⁰¹²³⁴-⁹]++)(?!{RAISED})", "write {left}^{p}{q}"),
    Idiom(r"(?<![²³])", rf"(?P<q>[⁺⁻]?{RAISED_TERM})(?!{RAISED})", "write {left}^{q}"),
    Idiom(r"(?P<p>[²³]+)", rf"(?P<q>[⁰¹²³⁴-⁹]*+(?:[⁺⁻]{RAISED_TERM})++)(?!{RAISED})", "write {left}^({p}{q})"),
    Idiom(r"(?<![²³])", rf"(?P<q>[⁺⁻]?{RAISED_TERM}(?:[⁺⁻]{RAISED_TERM})++)(?!{RAISED})", "write {left}^({q})"),
    Idiom(r"(?P<p>[²³]*)", rf"(?P<d>[⁰¹²³⁴-⁹]*+)(?P<q>[ⁿⁱ])(?!{RAISED})", "write {left}^({p}{d}*{q})"),
    Idiom(r"[²³]*", rf"{RAISED}+", "write the exponent in parentheses, as in a^(2*n - 1)"),
    Idiom("", r"°|[dD]eg(?:rees?)?(?![\w(])", "write radians({base})"),
    Idiom("", r"\?(?=(?P<a>PART):(?P<b>(?>PART))(?!\?))(?!\s*:)", "write where({condition}, {a}, {b})"),
    Idiom("", r"\?", CHOICE),
    Idiom("", r"if\b(?=(?P<c>[^?:;\r\n]{1,200}?)\belse\b(?P<b>PART))", "write where({c}, {condition}, {b})"),
    Idiom("", r"if\b", CHOICE),
    Idiom("", r"\|\||∨", "write `or`"),
    Idiom("", r"&&?|∧", "write `and`"),
    Idiom("", APART + r"\s*\Z", "", remedy=_SET_APART),
    Idiom("", r"\|\s*(?P<f>FUNCTION)\s*\Z", "write {f}({condition})"),
    Idiom("", r"\|(?P<x>[^|<>=≤≥;\r\n]+)\|(?=\s*(?:\Z|[-+*/^,;)\]\r\n]))", "write *abs({x}) in place of `{text}`"),
    Idiom("", r"⌊(?P<x>[^⌊⌋\r\n]+)⌋", "write *floor({x}) in place of `{text}`"),
    Idiom("", r"⌈(?P<x>[^⌈⌉\r\n]+)⌉", "write *ceil({x}) in place of `{text}`"),
    Idiom("", r"\|", "for an absolute value write abs(…); between two conditions write `or`"),
    Idiom(r"(?P<n>NAME)", r"['’′]+", DERIVATIVE + "; for another name write {n}_1"),
    Idiom("", r"['’′]+", DERIVATIVE),
    # ---- Names with brackets and dots
    Idiom(r"(?<!\w)lim\s+", r"(?=\w+\s*(?:->|→))", "there are no limits"),
    Idiom(
        r"(?<!\w)(?:np|numpy|jnp|math|cmath|Math|torch|tf|jax|scipy|special|mpmath|sympy|std)",
        r"(?:(?:\.|::)NAME)*(?:\.|::)(?P<f>NAME)",
        "write {function}",
    ),
    Idiom(r"(?P<n>[^\W\d]\w*_)", r"\{(?P<i>\w+)\}", "write {n}{i}"),
    Idiom(r"[^\W\d]\w*_", r"\{", "a name has letters, digits and _"),
    Idiom("", r"\.(?P<op>\*|/|\^)", "write {op}"),
    Idiom("", r"@", "write matvec({left}, {right}) for a matrix, or dot({left}, {right}) for two lists"),
    Idiom(r"(?P<n>NAME)", r"\.(?P<m>FUNCTION)\(\s*\)", "write {m}({n})"),
    Idiom(r"(?<=[)\]])", r"\.(?P<m>FUNCTION)\(\s*\)", "write {m}({base}) in place of `{left}{text}`"),
    Idiom(r"NAME", r"\.(?:diff|derivative|grad|gradient|backward)(?!\w)", DERIVATIVE),
    Idiom(r"(?P<n>NAME)", r"\.data(?!\w)", "write {n}; for a name of its own {n}_data"),
    Idiom(r"(?P<n>NAME)", r"\.(?P<m>NAME)(?=\()", "a function is called by its name alone, as in sin(x)"),
    Idiom(r"(?P<n>NAME)", r"\.(?P<m>NAME)", "a name has no dots: write {n}_{m}"),
    Idiom(r"(?P<f>FUNCTION)", r"\{(?P<a>PART(?:,PART)*)\}", "write {f}({a})"),
    Idiom("", r"\{", "write ( in place of `{text}`, with an operator before it"),
    Idiom("", r";", "write , between arguments"),
    Idiom(r"\((?P<a>PART)", r"(?P<b>(?:,PART)+)\)(?!\s*=(?!=))", "for a list write [{a}{b}]"),
    Idiom("", r",", "a comma separates the arguments of a function, a ; separates statements"),
    # ---- Equals signs
    Idiom("", r"=>", "to compare, write >="),
    Idiom("", r"=<", "write <="),
    Idiom(r"START(?P<n>-?NUMBER)\s*", r"=\s*(?P<x>NAME)(?=\s*(?:\Z|[;\n#]))", "write {x} = {n}", ASSIGNS),
    Idiom(r"START\(\s*(?P<x>NAME)\s*\)\s*", r"=", "write {x} = …", ASSIGNS),
    Idiom(r"(?<!\w)(?:Value|tensor)\s*\((?P<x>PART),\s*NAME\s*", r"=[^()\r\n]*\)", "write {x}"),
    Idiom(r"(?<=[(,])\s*(?P<x>NAME)\s*", r"=", COMPARE + "; arguments go by their position, without names", ASSIGNS),
    Idiom(
        r"(?P<a>NAME)\s*=\s*(?P<b>NAME)\s*",
        r"=(?!=)(?P<c>PART)",
        "write {b} = {c}; {a} = {b}",
        "a statement assigns one name",
    ),
    Idiom(r"STARTd[^\W\d_]?\s*/\s*d[^\W\d_]\d?\s*", r"=(?!=)", "leave out `{text}`", ASSIGNS),
    Idiom(r"START(?P<a>PART)", r"=(?!=)", EQUATION + COMPARE, ASSIGNS),
    Idiom("", r"=(?!=)", COMPARE, ASSIGNS),
    Idiom("", r"~=", "write !="),
    Idiom("", r":=", "write ="),
    Idiom(r"START(?P<x>NAME)\s*", r":(?=\s)", "write {x} = …"),
    Idiom(r"[A-Z]+\d+", r":(?=[A-Z]+\d)", "there are no ranges: write each value"),
    Idiom(r"(?P<x>NAME)\[[^][:;]*", r":[^][;]*\]", "there are no slices: write [{x}[1], {x}[2]], with every entry"),
    Idiom("", r":", "an assignment is written with =, a choice where(condition, a, b)"),
    Idiom(
        r"(?P<a>[<>=!]=|[<>≤≥≠])\s*(?P<b>PART)",
        r"(?P<c>[<>=!]=|[<>≤≥≠])",
        "write {comparand} {a} {b} and {b} {c} {compared}",
        "comparisons do not chain",
    ),
    Idiom("", r"[<>=!]=|[<>≤≥≠]", "write a < b and b < c", "comparisons do not chain"),
    # ---- Words
    Idiom("", r"(?:for|while)\b", TERMS),
    Idiom("", r"(?:mod|rem|MOD)\b", "write {left} % {right}"),
    Idiom("", r"(?:times|multiplied by)\b", "write *"),
    Idiom("", r"(?:divided by|over)\b", "write /"),
    Idiom("", r"div\b", "to round a quotient down, write floor(a/b)"),
    Idiom("", r"xor\b", "write (a != 0) != (b != 0)"),
    Idiom("", r"plus\b", "write +"),
    Idiom("", r"minus\b", "write -"),
    Idiom("", r"squared\b", "write {left}^2"),
    Idiom("", r"cubed\b", "write {left}^3"),
    Idiom("", r"AND\b", "write `and`"),
    Idiom("", r"OR\b", "write `or`"),
    Idiom("", r"(?:equals|is)\b", COMPARE),
    Idiom(r"(?<!\w)d[a-z]?\s*/\s*d[^\W\d_]\d?\s*", r"(?=[\w(])", DERIVATIVE),
    Idiom(
        r"START(?:let|var|const|val|local|auto|double|float|int|real|global|my|set)\s+",
        r"(?=NAME\s*=)",
        "leave out `{text}`",
    ),
    Idiom(r"START(?P<a>NAME)\s+", r"(?P<b>NAME)(?=\s*=(?!=))", "for one name write {a}_{b}"),
    Idiom("", r"NAME(?=\s*(?:\([^()=#]*\)\s*)?=(?!=))", "put a ; before `{text}`, where a statement begins"),
    Idiom(r"START(?:def|function|func|fn|fun)\s+", r"(?=\w)", DEFINITION),
    Idiom(
        r"START(?:import|from|using|include|load|require)\s+",
        r"(?=\w)",
        "remove the line: all functions are there from the start",
    ),
    Idiom(
        r"START(?:return|print|echo|eval|plot|solve)\s+",
        r"(?=[\w(])",
        "leave out `{text}`: the last statement is the output",
    ),
    Idiom(r"START(?:for|while)\s+", r"(?=[\w(])", "there are no loops: " + TERMS),
    Idiom(r"(?<!\w)(?:if|elif|when|case)\s+", r"(?=[\w(])", CHOICE),
    Idiom(r"(?<!\w)lambda\s+", r"(?=\w)", DEFINITION),
)

BEFORE_AN_OPERAND = (
    # ---- Two operators one after the other
    Idiom(r"START", r"=(?!=)", "leave it out: a formula does not begin with =", "`=` has nothing on its left"),
    Idiom(r"START(?P<x>NAME)\s*(?P<op>\*\*|[-+*/%^])", r"=(?!=)", UPDATE.format("{grouped}")),
    Idiom(r"START(?P<x>NAME)\s*(?P<op>\+|-)(?P=op)\s*", r"\Z|(?=[;\r\n])", UPDATE.format("1")),
    Idiom(r"(?P<op>[=!]=)", r"=", "write {op}"),
    Idiom(r"(?<![<>=!])=", r"<", "write <="),
    Idiom(r"(?<![<>=!])=", r">", "to compare, write >="),
    Idiom(r"=", r"/=", "write !="),
    Idiom(r"=", r"[!~]", "write != to compare, or (not {last})"),
    Idiom(r"<", r">", "write !="),
    Idiom(r"-", r">", DEFINITION),
    Idiom(r"/", r"/", "to round a quotient down, write floor(a/b); a comment begins with #"),
    Idiom(r"/", r"\*", COMMENT),
    Idiom(r"/", r"\.\s*\{?(?P<x>NAME)\s*->\s*(?P<n>-?NUMBER)\}?\s*\Z", "", remedy=_SET_APART),
    Idiom(r"\^", r"\^", "for a power write ^ once"),
    Idiom(r"%", r"(?P<x>pi|e|inf)\b", "write {x}"),
    Idiom(r"%", r"%", "for a remainder write % once"),
    Idiom(r"%", r"/%", "to round a quotient down, write floor(a/b)"),
    Idiom(
        r"%\s*",
        r"",
        "% is the remainder of a division; for a percentage write ({left}/100)",
        "an operand is missing after `%`",
    ),
    # ---- Signs before an operand
    Idiom("", r"/[/*]", COMMENT),
    Idiom("", r"\|\|", "write abs(…) for an absolute value, norm(…) for the norm of a list"),
    Idiom("", r"\|(?P<x>[^|\r\n]+)\|", "write abs({x})"),
    Idiom("", r"\|", "write abs(…) for an absolute value"),
    Idiom("", r"[!~¬]", "write (not {last})"),
    Idiom(r"(?P<word>and|or|not)\s*", r"=(?!=)", "choose another name", "`{word}` is a reserved word"),
    Idiom("", r"(?P<word>and|or|not)\s*=(?!=)", "choose another name", "`{word}` is a reserved word"),
    Idiom("", r"not\b", "write (not {last})", "`not` needs parentheses here"),
    Idiom("", r"(?P<word>and|or)\s*\((?P<a>PART),(?P<b>PART)\)", "write ({a} {word} {b})"),
    Idiom("", r"∛", "write cbrt({argument})"),
    Idiom("", r"∜", "write nthroot({argument}, 4)"),
    Idiom("", r"(?P<p>[²³⁴-⁹]+)√", "write nthroot({argument}, {p})"),
    Idiom("", r"(?P<p>[⁰¹²³⁴-⁹⁺⁻ⁿⁱ]+)", "write {p}"),
    Idiom("", r"%(?P<x>pi|e|inf)\b", "write {x}"),
    Idiom("", r"@\s*\(", DEFINITION),
    Idiom("", r"\.(?P<x>NAME)", "write {x}"),
    Idiom("", r"\{(?P<a>PART(?:,PART)+)\}", "write [{a}]"),
    Idiom("", r"\{", "write ( in place of `{text}`"),
)

AFTER_A_FUNCTION = (
    Idiom(r"(?P<f>NAME)\s*", r"\|(?P<x>[^|\r\n]+)\|", "write {f}(abs({x}))"),
    Idiom(r"(?P<f>NAME)", r"['’′]+\(\s*(?P<x>NAME)\s*\)", "write D({f}({x}), {x}{order})"),
    Idiom(r"(?P<f>NAME)", r"['’′]+\((?P<x>PART)\)", "write D({f}(u), u{order}), and u = {x} before it"),
    Idiom(r"(?P<f>NAME)", r"['’′]+", "write D({f}(x), x{order})"),
)

BRACKETS = (
    Idiom(SUMMED, r"\[(?P<x>PART),\s*\{(?P<i>PART),(?P<a>PART),(?P<b>PART)\}\s*\]", SUM),
    Idiom(r"(?<!\w)D(?:erivative)?", r"\[(?P<u>PART),\s*(?P<x>NAME)\s*\]", "write D({u}, {x})"),
    Idiom(r"(?<!\w)D", r"\[(?P<u>PART),\s*\{\s*(?P<x>NAME)\s*,\s*(?P<n>\d+)\s*\}\s*\]", "write D({u}, {x}, {n})"),
    Idiom(r"(?<!\w)Log", r"\[(?P<b>PART),\s*(?P<x>PART)\]", "write log({x}, {b})"),
    Idiom(r"(?<!\w)ArcTan", r"\[(?P<x>PART),\s*(?P<y>PART)\]", "write atan2({y}, {x})"),
    Idiom(r"(?<!\w)Sinc", r"\[(?P<x>PART)\]", "write sinc(({x})/pi)"),
    Idiom(r"(?<!\w)If", r"\[(?P<c>PART),\s*(?P<a>PART),\s*(?P<b>PART)\]", "write where({c}, {a}, {b})"),
    Idiom(r"(?<!\w)N", r"\[(?P<x>PART)(?:,\s*\d+\s*)?\]", "write {x}"),
    Idiom(r"(?<!\w)Integrate", r"\[", "there are no integrals"),
    Idiom(r"(?<!\w)Gamma", r"\[PART,[^\[\]]*\]", "there is no incomplete gamma function"),
    Idiom(r"(?P<f>FUNCTION|(?=[A-Z])(?i:FUNCTION)|Power|Surd)\s*", r"\[(?P<x>[^\[\]]*)\]", "write {function}({x})"),
)
"""idioms with brackets that are neither a list nor an index"""
