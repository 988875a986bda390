// Gradients on the lines of the graph: on the way back a line that passed one on turns around, its width says how much,
// and the number moves along it.

const LINE_WIDTHS = [0.9, 4.5];
const TRAVEL_TIME = 700; // milliseconds

function makeGradientFlow({ nodes, precision }) {
  const svg = byId("drawing").querySelector("svg");
  const tip = svgElement("path", { d: "M0 0 L8 4 L0 8 z" });
  const turned = { id: "turned", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8, markerHeight: 8,
    markerUnits: "userSpaceOnUse", orient: "auto-start-reverse" };
  svg.append(svgElement("defs", {}, svgElement("marker", turned, tip)));
  let travelling = [];
  let shown = { numbers: null, step: -1, largest: 0 };
  let frame = null;

  // The lines of a step, each with what passes along it: that of the result, then those of the arguments.
  const linesOf = ({ place, adjoint, contributions }) => [
    [byId(`result-${nodes[place].id}`), adjoint],
    ...contributions.map(({ argument, position, product }) => [
      byId(`edge-${nodes[argument].id}-${nodes[place].id}-${position}`), product,
    ]),
  ].filter(([line]) => line !== null);

  function turn(step, on) {
    for (const [line, passed] of linesOf(step)) {
      const path = line.querySelector("path");
      if (!on) {
        delete line.dataset.passed;
        path.style.strokeWidth = "";
        continue;
      }
      const part = Number.isFinite(passed) ? Math.sqrt(Math.abs(passed) / (shown.largest || 1)) : 1;
      line.dataset.passed = shortest(passed);
      path.style.strokeWidth = (LINE_WIDTHS[0] + (LINE_WIDTHS[1] - LINE_WIDTHS[0]) * part).toFixed(2);
    }
  }

  // Let the numbers of a step move from the operation to what receives them.
  function travel(step, time) {
    const movers = linesOf(step).slice(1).map(([line, product]) => {
      const look = { class: "travelling", "text-anchor": "middle", "aria-hidden": "true" };
      const text = svgElement("text", look, decimal(product, precision));
      line.parentNode.append(text);
      const path = line.querySelector("path");
      return { text, path, length: path.getTotalLength() };
    });
    travelling = movers.map(({ text }) => text);
    const start = performance.now();
    const move = (now) => {
      const part = Math.min((now - start) / time, 1);
      for (const { text, path, length } of movers) {
        const { x, y } = path.getPointAtLength(length * (1 - part));
        text.setAttribute("x", x);
        text.setAttribute("y", y - 4);
      }
      if (part < 1) frame = requestAnimationFrame(move);
      else rest();
    };
    move(start);
  }
  function rest() {
    cancelAnimationFrame(frame);
    travelling.forEach((text) => text.remove());
    travelling = [];
  }

  return {
    // Show the lines after a step of the sweep backward; -1 is before the first.
    show(numbers, step, speed) {
      rest();
      if (numbers !== shown.numbers) {
        if (shown.numbers) shown.numbers.steps.slice(0, shown.step + 1).forEach((one) => turn(one, false));
        const sizes = numbers.steps.flatMap((one) => [one.adjoint, ...one.contributions.map(({ product }) => product)]);
        const largest = sizes.filter(Number.isFinite).reduce((most, size) => Math.max(most, Math.abs(size)), 0);
        shown = { numbers, step: -1, largest };
      }
      const next = step === shown.step + 1;
      for (; shown.step < step; shown.step++) turn(numbers.steps[shown.step + 1], true);
      for (; shown.step > step; shown.step--) turn(numbers.steps[shown.step], false);
      const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
      if (next && step >= 0 && !still) travel(numbers.steps[step], TRAVEL_TIME / Math.max(speed, 1));
    },
  };
}
