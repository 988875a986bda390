// The words of a step as elements.

function stepElements({ title, about, equations, sentences, receivers, remarks }) {
  const piecesOf = (sides) => sides.flatMap((side, index) => [
    ...(index ? [" "] : []),
    element("span", "side", ...(index ? ["= "] : []), ...side),
  ]);
  const definitions = (list) => definitionList(list.map(([caption, sides]) => [caption, piecesOf(sides)]));
  return [
    element("h3", "", ...title, ...(about ? [" ", element("small", "", about)] : [])),
    ...(equations.length ? [definitions(equations)] : []),
    ...sentences.map((sentence) => element("p", "", ...sentence)),
    ...remarks.map((remark) => element("p", "remark", ...codeOf(remark))),
    ...receivers.map((one) => element("div", "receiver", element("h4", "", ...one.title), definitions(one.equations))),
  ];
}

// A text in which formulas stand between backticks.
function codeOf(text) {
  return text.split("`").map((piece, index) => (index % 2 ? element("code", "", piece) : piece));
}
