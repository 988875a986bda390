"""Commands and options that people try who know other programs, and what to write here instead.

Each table has what to write → the words that are tried for it. What to write for an option is another option, which may
come with a value, or an option of another command with that command before it.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import click

from ...errors import AutodiffError, UsageError, did_you_mean, quoted_names
from .known_options import is_option, options_of, takes, value_of
from .remedies import command_line

_COMMANDS = {
    "eval": "calc calculate compute evalf evaluate feval forward autograd backward backprop lambdify run subs "
    "value values",
    "diff": "d deriv derivative derivatives derive differentiate dx grad gradient jac jacobian nabla pdiff polyder "
    "symbolic",
    "eval --hessian": "hess hessian",
    "graph": "dag dot draw picture tape tree viz",
    "explain": "chain chainrule chain-rule steps show why",
    "plot": "chart contour curve ezplot fplot gnuplot splot surf",
    "taylor": "expand maclaurin pade series",
    "minimize": "argmin fmin fmincon fminsearch fminunc min minimise minimum optim optimise optimize",
    "minimize --maximize": "argmax max maximise maximize maximum",
    "solve": "bisect brentq findroot fsolve fzero newton nsolve root root_scalar roots uniroot vpasolve zero zeros",
    "fit": "curve_fit curve-fit curvefit least-squares least_squares lm lsqcurvefit lstsq nls polyfit regress "
    "regression",
    "uncertainty": "error errors monte-carlo propagate propagation uncertainties",
    "sensitivity": "morris sobol tornado",
    "check": "check_grad check-grad gradcheck",
    "verify": "compare equal equals prove",
    "export --to latex": "latex tex",
    "export": "ccode code codegen compile generate pycode",
    "convert": "from_latex parse parse_latex sympify translate",
    "functions": "builtins operations operators ops",
    "repl": "console interactive prompt shell",
    "completion": "complete completions",
    "--man": "info man manual",
    "--version": "ver version",
}
_GRADIENTS = ("grad", "gradient", "jac", "jacobian")
"""words for which `eval` is meant where numbers are given"""
_NUMBERS = ("--set", "--inputs", "--data", "--over", "--direction")
_ASSIGNING = ("--bounds", "--over", "--set", "--start")
"""options that take numbers or ranges with the names of their inputs"""
_RANGES = ("--bounds", "--over")
_WITHOUT = {
    "integrals": "antiderivative cumtrapz int integral integrate quad trapz",
    "limits": "lim limit",
    "simplifications": "collect factor simplify",
    "differential equations": "dsolve ode ode45 odeint solve_ivp",
}
"""missing capabilities → the words that are tried for them"""

_NUMBER = re.compile(r"[-+]?[\d.]+(?:[eE][-+]?\d+)?")

FILE_NAME = re.compile(r"[\w./~-]+\.expr")
"""the name of a file that holds a formula"""

_OF_COMMANDS: Mapping[str, Mapping[str, str]] = {
    "autodiff": {"--version": "v V ver"},
    "check": {"--sweep": "h delta dx eps epsilon step step-size stepsize"},
    "convert": {"export --to": "t lang language target format output-format"},
    "diff": {"eval --set": "at subs point x0 eval evaluate evaluate-at eval-at when"},
    "export": {"--to": "lang language target output-language"},
    "fit": {"--set": "at point", "--start": "params parameters"},
    "minimize": {"--bounds": "over between"},
    "plot": {"--over": "x x-lim", "--set": "point x0"},
    "taylor": {"--order": "terms"},
}
"""command → what a word means there and not elsewhere"""

_OPTIONS = {
    "--start": "init initial initial-guess guess start-at start-point starting-point x0 p0 begin from-point at point "
    "near",
    "--at": "around about point x0 center centre expand-at near x",
    "--between": "bracket brackets range interval xrange bounds domain a b",
    "--for": "wrt var vars variable variables unknown unknowns solve-for x",
    "--mc": "monte-carlo montecarlo draws simulations samples n trials iterations",
    "--wrt": "w var vars variable variables by with-respect-to respect-to deriv derivative dx argnums argnum grad-of",
    "--set": "s at subs substitute substitutions point values val param params parameter parameters arg args "
    "argument arguments argjson define let assign with given eval-at var vars D x0 input-values",
    "--inputs": "input input-file inputs-file params-file param-file values-file json-file vars-file slurpfile i",
    "--data": "points table rows dataset csv-file data-file input-csv samples records",
    "--file": "formula-file expr-file expression-file source script from-file e expr expression formula",
    "--from": "notation syntax lang language input-format input-language dialect",
    "--of": "result output-name output-node function-name",
    "--over": "range ranges domain interval intervals grid linspace xrange x-range xlim window sweep mesh",
    "--bounds": "bound limits box lb ub lower upper",
    "--subject": "constraint constraints constrain cons st subject-to such-that",
    "--response": "target dependent y ydata y-column label observed outcome",
    "--delimiter": "sep separator separators field-separator delim fs F d ifs",
    "--thousands": "thousand thousands-separator thousands-sep grouping",
    "--sheet": "sheet-name sheetname worksheet",
    "--no-header": "headerless noheader without-header",
    "--skip": "skiprows skip-rows skip-lines skip-header",
    "--na": "na-values missing missing-values null nulls nan",
    "--where": "filter query condition",
    "--limit": "head nrows n-rows max-rows top take",
    "--sample": "subsample",
    "--columns": "cols column fields usecols select keep-columns",
    "--reduce sum": "sum total",
    "--reduce mean": "mean average avg",
    "--reduce": "aggregate agg",
    "--format": "to t type fmt output-format out-format style output-type output-style",
    "--out": "out-file outfile output-file outputfile save save-as savefig save-to dest destination to-file O",
    "--precision": "p prec decimals decimal-places places scale round digits ndigits",
    "--value-only": "q quiet r raw raw-output silent value no-grad no-gradient",
    "--hessian": "hess second-derivatives second-order second",
    "--order": "n nth degree deg times",
    "--direction": "tangent jvp vector",
    "--check": "gradcheck grad-check numeric numerical finite-differences verify",
    "--certify": "rigorous guaranteed arb enclose enclosure",
    "--digits": "dps",
    "--nodes all": "all all-nodes show-all",
    "--allow-nonfinite": "allow-nan allow-inf allow-infinite ignore-nan k insecure",
    "--jobs": "j threads thread workers n-jobs processes parallel cores nproc",
    "--seed": "random-seed random-state rng",
    "--strict": "fail-fast fail",
    "--compression": "compress",
    "--trace": "v verbose history path steps callback show-steps iterations",
    "--method": "algorithm algo solver optimizer",
    "--maximize": "max maximise maximum",
    "--starts": "restarts multistart n-starts tries",
    "--weights": "weight",
    "--sigma": "yerr y-error std",
    "--level": "confidence conf ci confidence-level",
    "--corr": "correlation correlations rho cov",
    "--tolerance": "tol rtol atol eps rel-tol relative-tolerance",
    "--timeout": "time-limit max-time",
    "--sweep": "steps",
    "--points": "n samples num npoints n-points num-points trials",
    "--y-range": "yrange ylim y-lim",
    "--log x": "logx log-x semilogx",
    "--log y": "logy log-y semilogy logscale",
    "--log xy": "loglog log-log",
    "--size": "figsize geometry dimensions width height",
    "--title": "caption",
    "--scale": "dpi",
    "--dark": "dark-mode night",
    "--flow": "rankdir layout orientation",
    "--depth": "max-depth levels level",
    "--step": "interactive step-by-step",
    "--html": "page web browser",
    "--expand": "unfold inline",
    "--name": "function-name fname func function",
    "--color never": "no-color nocolor no-colour no-colors mono monochrome",
    "--color": "colour colors colours",
    "--help": "? usage man",
    "eval --set": "at subs eval-at",
    "eval --data": "data",
    "eval --over": "over",
    "export --to": "to",
    "--to": "format output-format",
}
"""an option, where the command has it, else one of another command → the words that are tried for it"""

_CHOICES = {
    "c": "c++ cpp cxx clang h cuda",
    "python": "py python3 numpy np torch pytorch jax math",
    "numpy": "np",
    "javascript": "js typescript ts node",
    "rust": "rs",
    "fortran": "f77 f90 f95 fortran90",
    "julia": "jl",
    "latex": "tex katex mathjax",
    "markdown": "md",
    "excel": "xls xlsx sheets calc libreoffice spreadsheet",
    "json": "yaml yml toml",
    "jsonl": "ndjson",
    "plain": "text txt raw",
    "table": "pretty human text",
    "text": "plain table txt raw human",
    "always": "yes on true force",
    "never": "no none off false",
}
"""a choice of an option, where it has it → the words that are tried for it"""


def instead_of_command(words: Sequence[str], commands: Iterable[str]) -> str:
    """The hint for a command line whose first word is not one of the commands."""
    tried, *rest = words
    word = tried.lower()
    if word == "help":
        return f"write {command_line('autodiff', *rest[:1], '--help')}"
    absent = next(_meanings(_WITHOUT, word), None)
    if absent is not None:
        return f"there are no {absent}; `autodiff --help` lists the commands"
    if word in _GRADIENTS and any(option.partition("=")[0] in _NUMBERS for option in rest):
        of_list = [f"h = {rest[0]}", "--of", "h", *rest[1:]] if rest[0].startswith("[") else rest
        return f"write autodiff {command_line('eval', *of_list)}"
    for meant in commands_meant(word):
        return f"write autodiff {command_line(*meant.split(), *(rest[:1] if meant.startswith('-') else rest))}"
    if tried.isidentifier():
        return did_you_mean(tried, commands) or "`autodiff --help` lists the commands"
    source = ["-f", *words] if FILE_NAME.fullmatch(tried) else words
    return did_you_mean(tried, commands) or f"write {command_line('autodiff', 'eval', *source)}"


def commands_meant(word: str) -> Iterator[str]:
    """The commands that a word of other programs may mean, some with an option: `eval --hessian` for `hess`."""
    return _meanings(_COMMANDS, word)


def no_option(tried: str, words: Sequence[str], context: click.Context, assigned: str = "") -> AutodiffError:
    """The error for an option that a command does not have.

    `words` are those of the command line after the command; without them no other command line is suggested. `assigned`
    is the assignment that the option's value stands for, as `x=3` for the 3 of `x^2 --at 3`; "" for none.
    """
    return UsageError(f"there is no option `{tried}`", _instead_of_option(tried, words, context, assigned))


def _instead_of_option(tried: str, words: Sequence[str], context: click.Context, assigned: str) -> str:
    """The counterpart of another program's option, else the commands that have the option, else one like it."""
    known = options_of(context.command, context)
    word, value = tried.lstrip("-"), value_of(tried, words)
    for choosing in ("--format", "--to", "--from"):
        if len(word) > 1 and choosing in known and takes(known[choosing], word):
            return f"write {choosing} {word}"
    word = word.replace("_", "-") if len(word) > 1 else word
    own, others = _OF_COMMANDS.get(context.info_name or "", {}), dict(_others(context))
    for meant in (*_meanings(own, word), *_meanings(_OPTIONS, word)):
        option, _, chosen = meant.partition(" ")
        if option in known and (chosen or takes(known[option], value)):
            if assigned and option in _ASSIGNING and (":" in assigned) == (option in _RANGES):
                changed = _exchanged(tried, words, option, assigned)
                return f"write {command_line('autodiff', str(context.info_name), *changed)}"
            if known[option].is_flag and value and _NUMBER.fullmatch(value):
                changed = _exchanged(tried, words, option)
                return f"write {command_line('autodiff', str(context.info_name), *changed)}"
            return f"did you mean `{meant}`?"
        if option in others and words:
            is_assigned = assigned and chosen in _ASSIGNING
            changed = _exchanged(tried, words, chosen, assigned) if is_assigned else _renamed(tried, words, chosen)
            written = {text.partition("=")[0] for text in changed if text.startswith("--")}
            if written <= options_of(others[option]).keys():
                return f"write {command_line('autodiff', option, *changed)}"
    elsewhere = [name for name, command in others.items() if tried in options_of(command)]
    if elsewhere and len(word) > 1:
        return f"`{tried}` is an option of {quoted_names(elsewhere)}"
    return did_you_mean(tried, known) or f"`{context.command_path} --help` lists the options"


def _renamed(tried: str, words: Sequence[str], option: str) -> list[str]:
    """The words where an option takes the place of another."""
    return [option + word.removeprefix(tried) if is_option(word, tried) else word for word in words]


def _exchanged(tried: str, words: Sequence[str], *instead: str) -> list[str]:
    """The words where an option, with a value if it has one, takes the place of another and its value."""
    place = next(place for place, word in enumerate(words) if is_option(word, tried))
    return [*words[:place], *instead, *words[place + (1 if "=" in words[place] else 2) :]]


def instead_of_choice(tried: str, option: click.Option) -> str:
    """The hint for a value that is none of an option's choices; "" if no choice is meant for certain."""
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    meant = next((choice for choice in _meanings(_CHOICES, tried.lower()) if choice in choices), None)
    return f"here it is {max(option.opts, key=len)} {meant}" if meant else ""


def _meanings(table: Mapping[str, str], word: str) -> Iterator[str]:
    return (meant for meant, words in table.items() if word in words.split())


def _others(context: click.Context) -> Iterator[tuple[str, click.Command]]:
    """The commands besides that of the context."""
    root = context.find_root()
    if isinstance(root.command, click.Group):
        for name in root.command.list_commands(root):
            command = root.command.get_command(root, name)
            if command is not None and name != context.info_name:
                yield name, command
