// Numbers, read and shown as autodiff reads and shows them.

const NONFINITE = { nan: NaN, inf: Infinity, "-inf": -Infinity };

// A number of the page's data, where JSON has texts for infinities and nan.
function number(entry) {
  return typeof entry === "string" ? NONFINITE[entry] : entry;
}

// All digits: the shortest text that reads back as the same number.
function shortest(value) {
  if (Number.isNaN(value)) return "nan";
  if (!Number.isFinite(value)) return value > 0 ? "inf" : "-inf";
  return Object.is(value, -0) ? "-0" : String(value);
}

// So many digits after the point; where these would be too few or too many, as many digits with an exponent, or without
// one if that is no longer.
function decimal(value, digits) {
  if (value === null) return "";
  if (!Number.isFinite(value)) return shortest(value);
  const size = Math.abs(value);
  const fixed = size === 0 || (size >= 10 ** -Math.min(2, digits) && size < 1e6);
  return (value < 0 ? "-" : "") + (fixed ? fixedText(size, digits) : shorterText(size, digits));
}

function fixedText(size, digits) {
  return halvesToEven(size.toFixed(50), size.toFixed(digits), digits);
}

function shorterText(size, digits) {
  const text = halvesToEven(size.toExponential(50), size.toExponential(digits), digits);
  const scientific = text.replace(/e([+-])(\d)$/, "e$10$2");
  if (size < 1e-4 || size >= 1) return scientific;
  const plain = fixedText(size, digits - Number(text.split("e")[1]));
  const short = plain.slice(0, Math.max(plain.replace(/0+$/, "").length, plain.indexOf(".") + 1 + digits));
  const fixed = Number(short) === size ? short : plain;
  return fixed.length <= scientific.length ? fixed : scientific;
}

// JavaScript rounds a half up; Python, which made the other tables, to the even digit.
function halvesToEven(exact, rounded, digits) {
  const [mantissa, exponent] = exact.split("e");
  const end = mantissa.indexOf(".") + 1 + digits;
  const kept = mantissa.slice(0, digits ? end : end - 1);
  if (!/^50*$/.test(mantissa.slice(end)) || !/[02468]$/.test(kept)) return rounded;
  return exponent === undefined ? kept : `${kept}e${exponent}`;
}

// A formula that is a number, or undefined.
function plainNumber(text) {
  return /^-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/.test(text) ? Number(text) : undefined;
}

// A little more or less than a number: by one in its second digit.
function nudged(value, direction) {
  const size = Math.abs(value);
  const step = 10 ** ((size > 0 ? Math.floor(Math.log10(size)) : 0) - 1);
  return Number((value + direction * step).toPrecision(12));
}
