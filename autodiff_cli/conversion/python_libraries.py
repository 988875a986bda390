"""Modules, constants and functions of Python's numerical libraries, as they are in the language."""

from ..operations import ALIASES
from .expressions import FMOD, REMAINDER

_MODULES_WORDS = """
math cmath np numpy jnp jax torch F nn functional sp sympy scipy special stats norm statistics tf keras K autograd anp
"""
MODULES = {word: word for word in _MODULES_WORDS.split()} | {"sp": "sympy"}
"""names that are modules without being imported"""
CONSTANTS = {
    "pi": "pi", "e": "e", "E": "e", "inf": "inf", "infty": "inf", "oo": "inf", "nan": "nan", "tau": "2*pi",
    "Half": "0.5", "One": "1", "Zero": "0",
}  # fmt: skip
_EVERYWHERE = frozenset(["inf", "nan", "pi"])
"""constants that are the same in every module, and without one"""
_WITH_E = frozenset(["math", "cmath", "np", "numpy", "jnp", "anp", "cupy", "mpmath", "mp", "torch"])
"""modules, such as `jax.numpy`, whose `e` is 2.718…; it is the charge in `scipy.constants`"""
RENAMED = ALIASES | {
    "Abs": "abs", "Max": "max", "amax": "max", "Min": "min", "amin": "min", "ceiling": "ceil", "loggamma": "lgamma",
    "remainder": "mod", "floor_divide": "floor_div", "Mod": "mod",
    "int": "trunc",
}  # fmt: skip
FLOOR_DIVISION = "round(({0} - {0} % {1})/{1})"  # floor({0}/{1}) is 10 for 1//0.1
FORMULAS = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0}*{1}", "div": "{0}/{1}", "pow": "{0}^{1}", "neg": "-{0}",
    "mod": "{0} % {1}", "floor_div": FLOOR_DIVISION, "fmod": FMOD, "rsqrt": "1/sqrt({0})",
    "heaviside": "where({0} == 0, {1}, (1 + sign({0}))/2)", "logit": "log({0}/(1 - {0}))",
    "logsigmoid": "-softplus(-{0})", "xlogy": "where({0} == 0, 0, {0}*log({1}))", "softsign": "{0}/(1 + abs({0}))",
    "fma": "{0}*{1} + {2}", "exp10": "10^{0}", "relu6": "clip({0}, 0, 6)", "isnan": "{0} != {0}",
    "gelu_tanh": "0.5*{0}*(1 + tanh(sqrt(2/pi)*({0} + 0.044715*{0}^3)))",
    "ldexp": "{0}*2^{1}", "gelu_erf": "gelu({0})", "softplus": "softplus({1}*{0})/{1}",
    "normcdf": "normcdf(({0} - {1})/{2})", "normpdf": "normpdf(({0} - {1})/{2})/{2}",
    "tanhshrink": "{0} - tanh({0})", "Rational": "{0}/{1}", "positive": "{0}",
    "real_root": "nthroot({0}, {1})",
}  # fmt: skip
_ROOTS = {"cbrt": "{0}^(1/3)", "root": "{0}^(1/{1})"}
"""the principal ones, which are not real for negative numbers"""
SYMPY = _ROOTS | {
    "sinc": "sinc({0}/pi)", "Heaviside": "(1 + sign({0}))/2",
    "Eq": "{0} == {1}", "Ne": "{0} != {1}",
}  # fmt: skip
"""functions that SymPy defines differently from NumPy, or that NumPy lacks"""
OF_MODULES = {
    "math.remainder": REMAINDER,
    **{f"mpmath.{name}": formula for name, formula in _ROOTS.items()},
    **dict.fromkeys(("jax.nn.gelu", "flax.linen.gelu", "nn.gelu"), FORMULAS["gelu_tanh"]),
}
"""functions that a module defines differently from others"""
THE_SAME = ("data", "real")
"""attributes of a number that are this number"""
ARRAY_ATTRIBUTES = {
    "T": ("the transpose of an array", "{0} for numbers side by side"),
    "grad": ("its gradient", "the formula alone: autodiff finds the gradient"),
    "imag": ("the imaginary part", "0 for that of a real number"),
    "ndim": ("the number of axes", "1 for numbers side by side"),
    "shape": ("a tuple", "len({0}) for its first number"),
    "size": ("the number of entries", "len({0}) for numbers side by side"),
}
"""attributes of values, which are no numbers within an object: what they are, and what to write instead"""
_AXIS = "an axis", "write {0}([…, …]) for numbers side by side"
SECOND = {
    **dict.fromkeys(("amax", "amin", "average", "logsumexp", "max", "mean", "min", "prod", "sum"), _AXIS),
    "log": ("where the result is kept", "write {0}(a)/{0}(b) for another base"),
}
"""functions on arrays whose second argument is not a number of the formula: what it is, and what may be meant"""
_OF_ARRAYS = frozenset([*SECOND, "cbrt", "remainder", "sinc"])
STARS = {
    **dict.fromkeys(("numpy", "jax.numpy", "autograd.numpy"), (_OF_ARRAYS | {"e"}) - {"logsumexp"}),
    "torch": _OF_ARRAYS - {"cbrt"},
    "math": frozenset(["cbrt", "e", "log", "remainder", "tau"]),
    "cmath": frozenset(["e", "log"]),
    "mpmath": frozenset(["e", "log", *_ROOTS]),
    "sympy": frozenset(["log", *SYMPY]),
    "scipy.constants": frozenset(["e"]),
    "scipy.special": frozenset(["cbrt", "logsumexp", "sinc"]),
    **dict.fromkeys(("jax.nn", "flax.linen"), frozenset(["gelu", "logsumexp"])),
}
"""modules → those functions that `import *` brings from them and that are not the same in every module"""


def has_constant(module: str, name: str) -> bool:
    """Whether a module has a constant of this name that is known."""
    is_sympys = module.partition(".")[0] == "sympy" and name != "e"
    return name in _EVERYWHERE or (name in CONSTANTS and (is_sympys or module.rpartition(".")[2] in _WITH_E))
