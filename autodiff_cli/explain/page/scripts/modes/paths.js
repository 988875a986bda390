// Paths: every path from the output to an input, each with the product of its local derivatives; their sum is the gradient.

const MOST_PATHS = 12; // that are shown: those with the largest products
const MANY_PATHS = 1e18; // paths are counted up to this number

modes.push({
  id: "paths",
  title: "Paths",
  isWide: true,
  start(page) {
    const { data, graph } = page;
    const ends = data.inputs.map(({ place }) => place).filter((place) => data.nodes[place].active);
    const panel = element("div", "paths");
    const listening = new AbortController();
    const choice = nodeChoice(ends, data.nodes, "input", choose);
    let end = ends[0];
    let shown = null; // for which numbers and input the panel is

    function choose(place) {
      end = place;
      choice.value = place;
      show();
    }

    // An input that is pointed at or focused, in the graph or by its field.
    function follow(event) {
      const label = event.target.dataset?.input;
      const group = event.target.closest?.("[id^=node-]");
      const place = label !== undefined
        ? data.inputs.find((one) => one.name === label).place
        : data.nodes.findIndex(({ id }) => `node-${id}` === group?.id);
      if (ends.includes(place) && place !== end) choose(place);
    }
    for (const kind of ["pointerover", "focusin"]) addEventListener(kind, follow, { signal: listening.signal });

    function show() {
      if (shown?.numbers === page.numbers && shown.end === end) return;
      shown = { numbers: page.numbers, end };
      if (end === undefined) return panel.replaceChildren(element("p", "", "The output depends on no input."));
      const paths = pathsTo(page.numbers, data.output, end);
      const light = (path) => graph.trace(path?.links ?? paths.links, "traced");
      const items = paths.shown.map((path) => pathItem(path, light));
      const hidden = paths.count - paths.shown.length;
      const total = paths.shown.reduce((sum, { product }) => sum + product, 0);
      const gradient = gradientOf(page.numbers, end) ?? 0;
      const sums = [["sum of the paths", hidden ? gradient : total], ["gradient", gradient]];
      if (hidden) sums.unshift([`the other ${counted(hidden)}`, gradient - total]);
      panel.replaceChildren(
        element("h3", "", `${counted(paths.count)} path${paths.count === 1 ? "" : "s"} from `,
          name(data.output), " to ", choice),
        element("ol", "", ...items),
        definitionList(sums.map(([caption, sum]) => [caption, [figure(sum, data.precision, "number total")]])),
      );
      light();
    }

    function pathItem({ links, product }, light) {
      const names = [data.output, ...links.map(({ argument }) => argument)].map((place) => data.nodes[place].name);
      const factors = links.flatMap(({ local }, index) => [...(index ? [" · "] : []), ...enclosed(local)]);
      const item = part("li", { tabIndex: 0 },
        element("span", "name", names.join(" → ")),
        element("span", "side", ...factors, " = ", value(product)));
      for (const kind of ["pointerenter", "focus"]) item.addEventListener(kind, () => light({ links }));
      for (const kind of ["pointerleave", "blur"]) item.addEventListener(kind, () => light());
      return item;
    }

    return {
      panel,
      show,
      known: (place) => [page.numbers.values[place], gradientOf(page.numbers, place)],
      pick: (place) => ends.includes(place) && (choose(place), true),
      stop() {
        listening.abort();
        graph.trace([], "traced");
      },
    };
  },
});

// The paths from the output to a node: their number, those with the largest products, and all links that are on one. The
// time grows with the number of nodes, however many paths there are.
function pathsTo({ steps }, output, end) {
  const counts = new Map([[end, 1]]);
  const chains = new Map([[end, [{ size: 0, links: null }]]]);
  const reaching = [];
  for (const { place, contributions } of steps.toReversed()) {
    const links = contributions.filter(({ argument }) => counts.has(argument)).map((one) => ({ ...one, place }));
    if (!links.length || place === end) continue;
    reaching.push(...links);
    counts.set(place, Math.min(MANY_PATHS, links.reduce((sum, { argument }) => sum + counts.get(argument), 0)));
    const longer = links.flatMap((link) => chains.get(link.argument).map(({ size, links: rest }) => (
      { size: size + Math.log(Math.abs(link.local)), links: { link, rest } }
    )));
    chains.set(place, longer.sort((a, b) => b.size - a.size || 0).slice(0, MOST_PATHS));
  }
  const reached = new Set([output]);
  const links = reaching.toReversed().filter(({ place, argument }) => reached.has(place) && reached.add(argument));
  const shown = (chains.get(output) ?? []).map((chain) => pathOf(chain.links));
  return { count: counts.get(output) ?? 0, shown, links };
}

function pathOf(chain) {
  const links = [];
  for (; chain; chain = chain.rest) links.push(chain.link);
  return { links, product: links.reduce((product, { local }) => product * local, 1) };
}

function counted(count) {
  return count >= MANY_PATHS ? "10¹⁸ or more" : count.toLocaleString("en");
}
