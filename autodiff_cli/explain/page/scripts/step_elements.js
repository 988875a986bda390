// The words of a step as elements.

function stepElements({ title, about, equations, sentences, receivers, remarks }, data) {
  const text = (parts) => parts.map((part) => partOf(part, data));
  const piecesOf = (sides) => sides.flatMap((side, index) => [
    ...(index ? [" "] : []),
    element("span", "side", ...(index ? ["= "] : []), ...text(side)),
  ]);
  const definitions = (list) => definitionList(list.map(([caption, sides]) => [caption, piecesOf(sides)]));
  return [
    element("h3", "", ...text(title), ...(about ? [" ", element("small", "", about)] : [])),
    ...(equations.length ? [definitions(equations)] : []),
    ...sentences.map((sentence) => element("p", "", ...text(sentence))),
    ...remarks.map((remark) => element("p", "remark", ...codeOf(remark))),
    ...receivers.map((one) => element("div", "receiver", element("h4", "", ...text(one.title)), definitions(one.equations))),
  ];
}

function partOf(part, data) {
  if (typeof part === "string") return part;
  if ("name" in part) return element("span", "name", data.nodes[part.name].name);
  return figure(part.value, data.precision);
}

// A text in which formulas stand between backticks.
function codeOf(text) {
  return text.split("`").map((piece, index) => (index % 2 ? element("code", "", piece) : piece));
}
