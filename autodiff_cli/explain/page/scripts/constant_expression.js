// What a person types into a field: a number or a constant expression such as 1/2, -sqrt(2) or 2*pi, as autodiff reads it.

const CONSTANTS = { pi: Math.PI, π: Math.PI, e: Math.E, inf: Infinity, "∞": Infinity, nan: NaN };
const CALLS = Object.fromEntries(
  ("abs acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh exp expm1 floor hypot log log10 log1p log2 max min sin " +
    "sinh sqrt tan tanh trunc").split(" ").map((called) => [called, Math[called]]),
);
Object.assign(CALLS, {
  ln: Math.log,
  log: (a, base) => (base === undefined ? Math.log(a) : Math.log(a) / Math.log(base)),
  sigmoid: (a) => 1 / (1 + Math.exp(-a)),
});
// The fewest and the most arguments of the functions that take different numbers of them.
const ARGUMENT_COUNTS = { hypot: [1, Infinity], log: [1, 2], max: [1, Infinity], min: [1, Infinity] };
const TOKEN = /\s*(?:((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|([\p{L}_∞][\p{L}\p{N}_]*)|(\*\*|[-+*/^(),]))/uy;
const SIGNS = { "−": "-", "·": "*", "×": "*", "÷": "/" };
const DEEPEST = 100; // parentheses within parentheses

// The value of a text. Throws a text that says why it has none.
function constantExpression(text) {
  const tokens = tokensOf(text.replace(/[−·×÷]/g, (sign) => SIGNS[sign]));
  let at = 0;
  let depth = 0;
  const taken = (...signs) => (signs.includes(tokens[at]?.sign) ? tokens[at++].sign : undefined);

  function operand() {
    const { number: digits, word, sign } = tokens[at] ?? {};
    if (digits === undefined && word === undefined && sign !== "(") throw notANumber(text);
    if (sign !== "(") at += 1;
    if (digits !== undefined) return literalNumber(digits);
    if (word !== undefined && tokens[at]?.sign !== "(") {
      if (!Object.hasOwn(CONSTANTS, word)) throw notANumber(word);
      return CONSTANTS[word];
    }
    if (word !== undefined && !Object.hasOwn(CALLS, word)) throw `unknown function “${word}”`;
    if (depth++ > DEEPEST) throw notANumber(text);
    const operands = [];
    do {
      at += 1;
      operands.push(sum());
    } while (word !== undefined && tokens[at]?.sign === ",");
    if (!taken(")")) throw notANumber(text);
    depth -= 1;
    if (word === undefined) return operands[0];
    const call = CALLS[word];
    const [fewest, most] = ARGUMENT_COUNTS[word] ?? [call.length, call.length];
    if (operands.length < fewest || operands.length > most) {
      throw `“${word}” does not take ${operands.length} argument${operands.length === 1 ? "" : "s"}`;
    }
    return call(...operands);
  }
  function signed(inner) {
    const signs = [];
    for (let sign = taken("-", "+"); sign; sign = taken("-", "+")) signs.push(sign);
    const number = inner();
    return signs.filter((sign) => sign === "-").length % 2 ? -number : number;
  }
  function power() {
    const base = operand();
    return taken("^", "**") ? base ** signed(power) : base;
  }
  function product() {
    let result = signed(power);
    for (let sign = taken("*", "/"); sign; sign = taken("*", "/")) {
      const factor = signed(power);
      result = sign === "*" ? result * factor : result / factor;
    }
    return result;
  }
  function sum() {
    let total = product();
    for (let sign = taken("+", "-"); sign; sign = taken("+", "-")) total += sign === "+" ? product() : -product();
    return total;
  }

  const result = sum();
  if (at < tokens.length) throw notANumber(text);
  return result;
}

function tokensOf(text) {
  const tokens = [];
  const end = text.trimEnd().length;
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < end; ) {
    const [token, digits, word, sign] = TOKEN.exec(text) ?? [];
    if (token === undefined || tokens.length > 1000) throw notANumber(text);
    tokens.push({ number: digits, word, sign });
  }
  return tokens;
}

function literalNumber(digits) {
  const number = Number(digits);
  if (number === Infinity) throw `“${shortened(digits)}” is too large for double precision`;
  if (number === 0 && /[1-9]/.test(digits.split(/e/i)[0])) throw `“${shortened(digits)}” is too small for double precision`;
  return number;
}

function notANumber(text) {
  return `“${shortened(text)}” is not a number such as -0.5, 1/2 or pi`;
}

function shortened(text) {
  return text.length > 40 ? `${text.slice(0, 39)}…` : text;
}

// The value of a text, or undefined.
function valueOf(text) {
  try {
    return constantExpression(text);
  } catch {
    return undefined;
  }
}
