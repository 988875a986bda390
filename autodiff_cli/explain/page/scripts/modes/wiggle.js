// Wiggle: an input moves by h, ghosts of the values run through the graph, and Δoutput/Δinput tends to the gradient.

modes.push({
  id: "wiggle",
  title: "Wiggle",
  isWide: true,
  start(page) {
    const { data } = page;
    const { nodes, output, inputs } = data;
    const places = inputs.map(({ place }) => place);
    const choice = nodeChoice(places, nodes, "input", move);
    const tried = []; // the latest first: { h, ratio }
    let triedAt = []; // the leaves' values then
    const panel = element("div", "wiggle");
    let [moved] = places;
    let h = 0.1;
    let ghosts = [];

    function move(place) {
      moved = place;
      choice.value = place;
      tried.length = 0;
      wiggle(0.1);
    }
    function wiggle(by) {
      h = by;
      page.refresh();
    }
    const input = part("input", { size: 7, "aria-label": "h" });
    input.addEventListener("change", () => {
      const by = valueOf(input.value);
      if (Number.isFinite(by) && by !== 0) wiggle(by);
      else show();
    });
    const buttons = [button("−h", () => wiggle(-h)), button("h ÷ 10", () => wiggle(h / 10)), button("h × 10", () => wiggle(h * 10))];

    function compute() {
      if (moved === undefined) return;
      if (page.leaves.some((value, place) => !Object.is(value, triedAt[place]))) tried.length = 0;
      triedAt = page.leaves.slice();
      const leaves = page.leaves.slice();
      leaves[moved] += h;
      ghosts = forward(nodes, leaves);
    }

    function show() {
      if (moved === undefined) return panel.replaceChildren(element("p", "", "There is no input to move."));
      const { values } = page.numbers;
      const by = page.leaves[moved] + h - page.leaves[moved]; // what is left of h after rounding
      const change = ghosts[output] - values[output];
      const gradient = gradientOf(page.numbers, moved) ?? 0;
      if (tried.at(0)?.h !== h) tried.unshift({ h });
      Object.assign(tried[0], { ratio: change / by });
      tried.splice(6);
      input.value = shortest(h);
      const digits = Math.max(data.precision, 6);
      const named = (sign, place) => [sign, name(place)];
      const equations = [
        [named("Δ", moved), [figure(by, digits)]],
        [named("Δ", output), [figure(ghosts[output], digits), " − ", ...enclosed(values[output], digits), " = ", figure(change, digits)]],
        [[...named("Δ", output), ...named("/Δ", moved)], [figure(change / by, digits, "number total")]],
        [["gradient"], [figure(gradient, digits, "number total")]],
      ];
      panel.replaceChildren(
        element("div", "toolbar", element("label", "", "move ", choice), element("label", "", "by h = ", input), ...buttons),
        definitionList(equations),
        element("table", "tried",
          element("thead", "", element("tr", "", ...["h", "Δ/Δ", "off by"].map((text) => part("th", { textContent: text, scope: "col" })))),
          element("tbody", "", ...tried.map(({ h: step, ratio }) => element("tr", "",
            ...[step, ratio, ratio - gradient].map((shown) => element("td", "", figure(shown, digits))))))),
      );
    }

    page.caption("ghost");
    return {
      panel, show,
      sweep(numbers) {
        compute();
        return numbers;
      },
      known: (place) => [page.numbers.values[place], ghosts[place] ?? null],
      pick: (place) => places.includes(place) && (place === moved || move(place), true),
      grab(place) {
        if (!places.includes(place)) return undefined;
        if (place !== moved) move(place);
        return (right) => right && wiggle(right / 100);
      },
      stop: () => page.caption("grad"),
    };
  },
});
