// Step downhill: inputs move against their gradients, and the output follows a curve.

modes.push({
  id: "downhill",
  title: "Downhill",
  start(page) {
    const { data } = page;
    const { nodes, output, inputs, rows } = data;
    const fed = new Set(rows ? rows.places : []);
    const movable = inputs.filter(({ place }) => nodes[place].active && !fed.has(place));
    const rate = part("input", { value: "0.1", size: 6, "aria-label": "rate" });
    const ticks = new Map(movable.map(({ place }) => [place, part("input", { type: "checkbox", checked: true })]));
    const lines = new Map(movable.map(({ name: label, place }) => [place, descentLine(label, ticks.get(place))]));
    const complaint = part("p", { className: "wrong", role: "alert" });
    const progress = element("p", "loss");
    const curve = makeCurve();
    const feeding = rows ? makeFeeding(rows, begin) : null;
    const back = button("Go back", goBack);
    const past = []; // where the walk downhill has been: the numbers of the inputs, the row, and the output there
    const panel = element("div", "downhill",
      element("div", "toolbar", element("label", "", "rate ", rate), button("Step", () => descend(1)),
        button("10 steps", () => descend(10)), back, ...(feeding ? [feeding.choice] : [])),
      complaint, progress, curve.holder, element("div", "ticks", ...[...lines.values()].map(({ holder }) => holder)));

    rate.addEventListener("input", show);
    rate.addEventListener("keydown", (event) => event.key === "Enter" && descend(1));
    ticks.forEach((tick) => tick.addEventListener("change", show));

    const present = () => new Map(inputs.map(({ place }) => [place, page.leaves[place]]));
    const here = () => (feeding?.isMean() ? meanOf(page, rows) : {
      output: page.numbers.values[output],
      gradient: (place) => gradientOf(page.numbers, place) ?? 0,
    });

    function descend(times) {
      for (let time = 0; time < times; time++) {
        const { output: height, gradient } = here();
        const size = valueOf(rate.value);
        const moved = movable.filter(({ place }) => ticks.get(place).checked)
          .map(({ place }) => [place, page.leaves[place] - size * gradient(place)]);
        if (!moved.every(([, to]) => Number.isFinite(to))) return;
        past.push({ numbers: present(), row: feeding?.row, height });
        page.set(new Map([...moved, ...(feeding?.next() ?? [])]));
      }
    }
    function goBack() {
      const { numbers, row } = past.pop() ?? {};
      if (numbers === undefined) return;
      if (feeding) feeding.row = row;
      page.set(numbers);
    }

    function begin() {
      past.length = 0;
      show();
    }
    function show() {
      if (!movable.length) return panel.replaceChildren(element("p", "", "There is no input to move."));
      const { output: height, gradient } = here();
      const size = valueOf(rate.value);
      const gradients = movable.map(({ place }) => gradient(place));
      rate.setAttribute("aria-invalid", String(!Number.isFinite(size)));
      complaint.textContent = !Number.isFinite(size)
        ? notANumber(rate.value)
        : gradients.every(Number.isFinite) ? "" : "a gradient is not finite here: there is no way downhill";
      movable.forEach(({ place }, index) => lines.get(place).show(gradients[index], size, data.precision));
      progress.replaceChildren(...(feeding ? [feeding.words] : []), name(output), " = ",
        figure(height, data.precision, "number total"), ` after ${past.length} step${past.length === 1 ? "" : "s"}`);
      curve.draw([...past.map((one) => one.height), height]);
      back.disabled = !past.length;
    }

    if (feeding) page.set(feeding.now());
    return {
      panel, show,
      known: (place) => [page.numbers.values[place], gradientOf(page.numbers, place)],
    };
  },
});

// An input that may move: whether it does, its gradient, and the move.
function descentLine(label, tick) {
  const words = element("span", "move");
  const holder = element("label", "", tick, element("span", "name", label), words);
  return {
    holder,
    show(gradient, rate, digits) {
      const move = [" moves by ", figure(-rate * gradient, digits)];
      words.replaceChildren("gradient ", figure(gradient, digits), ...(tick.checked && Number.isFinite(rate) ? move : []));
    },
  };
}

// The rows of the data: one after the other, or their mean.
function makeFeeding(rows, changed) {
  const kinds = [["one", "row by row"], ["mean", `mean of ${rows.numbers.length} rows`]];
  const choice = part("select", { "aria-label": "rows" },
    ...kinds.map(([value, textContent]) => part("option", { value, textContent })));
  choice.addEventListener("change", changed);
  const feeding = {
    choice,
    row: 0,
    isMean: () => choice.value === "mean",
    now: () => new Map(rows.places.map((place, column) => [place, rows.numbers[feeding.row][column]])),
    next() {
      if (feeding.isMean()) return [];
      feeding.row = (feeding.row + 1) % rows.numbers.length;
      return feeding.now();
    },
    get words() { return feeding.isMean() ? "mean over all rows: " : `row ${feeding.row + 1} of ${rows.numbers.length}: `; },
  };
  return feeding;
}

// The mean of the output over the rows, and its gradient.
function meanOf({ data, leaves }, { places, numbers }) {
  const sums = new Map();
  let total = 0;
  for (const row of numbers) {
    const point = leaves.slice();
    places.forEach((place, column) => { point[place] = row[column]; });
    const swept = sweep(data, point);
    total += swept.values[data.output];
    data.inputs.forEach(({ place }) => sums.set(place, (sums.get(place) ?? 0) + (gradientOf(swept, place) ?? 0)));
  }
  return { output: total / numbers.length, gradient: (place) => sums.get(place) / numbers.length };
}

// A curve of numbers over the steps, with its highest and its lowest number beside it.
function makeCurve() {
  const line = svgElement("polyline", { "vector-effect": "non-scaling-stroke" });
  const svg = svgElement("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none", role: "img" }, line);
  const [highest, lowest] = [element("span"), element("span")];
  return {
    holder: element("div", "curve", element("div", "scale", highest, lowest), svg),
    draw(heights) {
      const finite = heights.filter(Number.isFinite);
      const [low, high] = [Math.min(...finite), Math.max(...finite)];
      const across = (index) => (100 * index) / Math.max(heights.length - 1, 1);
      const up = (height) => (high > low ? 96 - (92 * (height - low)) / (high - low) : 50);
      const points = heights.map((height, index) => [across(index), up(height)]).filter(([, y]) => Number.isFinite(y));
      line.setAttribute("points", points.map((point) => point.map((one) => one.toFixed(2)).join()).join(" "));
      svg.setAttribute("aria-label", `the output over ${heights.length - 1} steps`);
      highest.textContent = finite.length ? decimal(high, 4) : "";
      lowest.textContent = high > low ? decimal(low, 4) : "";
    },
  };
}
