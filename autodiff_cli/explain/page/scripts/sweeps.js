// The two sweeps, over the nodes of the page.
// How an operation computes, and what it passes backward, is in `operations`: autodiff wrote it from its own table.

// The value of each node, after those of its arguments.
function forward(nodes, leaves) {
  const values = [];
  nodes.forEach((node, place) => {
    const operands = node.arguments.map((argument) => values[argument]);
    values.push(node.key === null ? leaves[place] : operations[node.key].value(...operands));
  });
  return values;
}

// What one node passes on, as autodiff's own sweep does: [place of the argument, local derivative, product]. The product
// is null for an argument that was not chosen, and for all arguments if the adjoint is null: no path leads there.
function passedOn(nodes, place, values, adjoint) {
  const node = nodes[place];
  const { pullback } = operations[node.key];
  const numbers = [values[place], ...node.arguments.map((argument) => values[argument])];
  const locals = pullback(1, ...numbers);
  const products = adjoint === null ? locals.map(() => null) : pullback(adjoint, ...numbers);
  return node.arguments
    .map((argument, position) => [position, locals[position] ?? 0, products[position]])
    .filter(([position]) => nodes[node.arguments[position]].active);
}

// The steps backward, each with its contributions, and how the gradient of each node grew: in which step, by how much,
// and the sum so far. `passed(step, node, adjoint)` gives what a node passes on, `add(sum, product, node)` the next sum.
function backward(nodes, order, output, passed, add = (sum, product) => (sum ?? 0) + product) {
  const growth = nodes.map(() => []);
  const reached = new Set([output]);
  if (nodes[output].active) growth[output].push({ step: -1, product: 1, total: 1 });
  const steps = order.map((place, step) => {
    const adjoint = growth[place].at(-1).total;
    const along = passed(step, place, reached.has(place) ? adjoint : null);
    const contributions = along.map(([position, local, passedProduct]) => {
      const argument = nodes[place].arguments[position];
      const product = passedProduct ?? 0;
      if (passedProduct !== null) reached.add(argument);
      const before = growth[argument].at(-1)?.total ?? null;
      const total = add(before, product, argument);
      growth[argument].push({ step, product, total });
      return { position, argument, local, product, before, total };
    });
    return { place, adjoint, contributions };
  });
  return { steps, growth };
}

// Where the output is not a number it has no slope: the gradient of every input that it depends on becomes nan at the end.
function nowhere(nodes, order, growth) {
  nodes.forEach((node, place) => {
    if (node.key === null && node.active) growth[place].push({ step: order.length - 1, product: NaN, total: NaN });
  });
}

// What the chain rule leaves open, as 0 times infinity, autodiff computed as a limit: it takes the place of the last sum.
function limits(growth, adjoints) {
  growth.forEach((grown, place) => {
    if (Number.isNaN(grown.at(-1)?.total)) grown.at(-1).total = adjoints[place];
  });
}

// The gradient of a node when the sweep is through; null where none is computed.
function gradientOf(numbers, place) {
  return numbers.growth[place].at(-1)?.total ?? null;
}

// All numbers for the leaves' values. At the point that autodiff computed itself, they are autodiff's own.
function sweep(data, leaves) {
  const { nodes, order, output, recorded } = data;
  const own = nodes.every((node, place) => node.key !== null || Object.is(leaves[place], recorded.values[place]));
  const values = own ? recorded.values : forward(nodes, leaves);
  const passed = own
    ? (step) => recorded.passed[step]
    : (step, place, adjoint) => passedOn(nodes, place, values, adjoint);
  const swept = backward(nodes, order, output, passed);
  if (Number.isNaN(values[output])) nowhere(nodes, order, swept.growth);
  if (own) limits(swept.growth, recorded.adjoints);
  return { own, values, ...swept };
}
