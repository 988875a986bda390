// A step in words. A text is a list of pieces: a string, or the element of a name or a number. An equation is a list of
// texts that are equal, and `equations` gives each a caption.

const name = (place) => element("span", "name", data.nodes[place].name);
const value = (shown, digits = data.precision) => figure(shown, digits);

// The words for a moment of the walk: a title, a description of the node, equations, sentences, remarks, which hold for the
// numbers that autodiff itself computed, and the share of each argument.
function stepElements(data, numbers, moment) {
  const textOf = { start: startText, forward: forwardText, seed: seedText, backward: backwardText }[moment.phase];
  const { title, about, equations = [], sentences = [], receivers = [], remarks = [] } = textOf(data, numbers, moment);
  return [
    element("h3", "", ...title, ...(about ? [" ", element("small", "", about)] : [])),
    ...(equations.length ? [equationList(equations)] : []),
    ...sentences.map((sentence) => element("p", "", ...sentence)),
    ...(numbers.own ? remarks : []).map((remark) => element("p", "remark", ...codeOf(remark))),
    ...receivers.map((one) => element("div", "receiver", element("h4", "", ...one.title), equationList(one.equations))),
  ];
}

function equationList(equations) {
  const piecesOf = (sides) => sides.flatMap((side, index) => [
    ...(index ? [" "] : []),
    element("span", "side", ...(index ? ["= "] : []), ...side),
  ]);
  return definitionList(equations.map(([caption, sides]) => [caption, piecesOf(sides)]));
}

// A text in which formulas stand between backticks.
function codeOf(text) {
  return text.split("`").map((piece, index) => (index % 2 ? element("code", "", piece) : piece));
}

function startText({ nodes, order, output }) {
  const steps = (count) => `${count} step${count === 1 ? "" : "s"}`;
  const onward = [`Forward, in ${steps(nodes.length)}: the value of each node, up to `, name(output), "."];
  const back = nodes[output].active
    ? [`Then backward, in ${steps(order.length + 1)}: how steeply `, name(output), " depends on each of them."]
    : [name(output), " depends on no input that the gradient is with respect to."];
  return { title: ["Ready to go"], sentences: [onward, back] };
}

function forwardText({ nodes }, { values }, { place }) {
  const node = nodes[place];
  const equation = [[name(place)]];
  if (node.formula !== node.name) equation.push([node.formula]);
  if (node.key !== null) equation.push(withNumbers(node, values));
  equation.push([value(values[place])]);
  const remarks = node.remark ? [node.remark] : [];
  return { title: [name(place)], about: node.about, equations: [["value", equation]], remarks };
}

// An operation on the numbers of its arguments: `-6.0000 + 6.8814`.
function withNumbers(node, values) {
  return node.written.flatMap((part) => {
    if (typeof part === "string") return [part];
    const [position, closed] = part;
    const operand = values[node.arguments[position]];
    return closed ? enclosed(operand) : [value(operand)];
  });
}

function enclosed(shown, digits) {
  return shown < 0 || Object.is(shown, -0) ? ["(", value(shown, digits), ")"] : [value(shown, digits)];
}

function summed(terms) {
  return terms.flatMap((term, index) => (index ? [" + ", ...enclosed(term)] : [value(term)]));
}

function seedText(data) {
  return {
    title: [name(data.output)],
    about: "where the way back begins",
    equations: [["gradient", [slope(data, data.output, data.output), [value(1)]]]],
    sentences: [
      ["What is differentiated has the gradient 1. From here each node passes its gradient on to what it was computed ",
        "from, times the local derivative."],
    ],
  };
}

function backwardText(data, { own, steps, growth }, { place, step }) {
  const { adjoint, contributions } = steps[step];
  const terms = growth[place].map(({ product }) => product);
  const gradient = [slope(data, data.output, place), ...(terms.length > 1 ? [summed(terms)] : []), [value(adjoint)]];
  return {
    title: [name(place)],
    about: data.nodes[place].about,
    equations: [["gradient", gradient]],
    sentences: contributions.length ? [] : [["It passes nothing on: no gradient is asked for behind it."]],
    receivers: contributions.map((one) => receiverText(data, place, adjoint, one, own)),
    remarks: data.nodes[place].remarks,
  };
}

function receiverText(data, place, adjoint, { position, argument, local, product, before, total }, own) {
  const node = data.nodes[place];
  const rule = own || !node.counting ? node.rules[position] : "";
  const derivative = [slope(data, place, argument), ...(rule ? [[rule]] : [])];
  if (!Object.is(plainNumber(rule), local)) derivative.push([value(local)]);
  const equations = [
    ["local derivative", derivative],
    ["passed on", [[value(adjoint), " · ", ...enclosed(local)], [value(product)]]],
  ];
  if (before !== null) equations.push(["with other paths", [[value(before), " + ", ...enclosed(product)], [value(total)]]]);
  const limit = own ? data.recorded.adjoints[argument] : NaN;
  if (Number.isNaN(total) && !Number.isNaN(limit)) {
    equations.push(["as a limit", [slope(data, data.output, argument), [value(limit)]]]);
  }
  const twice = node.arguments.indexOf(argument) !== node.arguments.lastIndexOf(argument);
  return { title: ["to ", name(argument), ...(twice ? [`, its argument ${position + 1}`] : [])], equations };
}

// ∂o/∂n, with parentheses around what is not a name.
function slope({ nodes }, above, below) {
  const term = (place) => (nodes[place].atom ? ["∂", name(place)] : ["∂(", name(place), ")"]);
  return [...term(above), "/", ...term(below)];
}
