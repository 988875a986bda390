// Find the bug: the way back makes one of the classic mistakes, drawn from a seed; the student finds where.

const BUGS = {
  overwrites: "it overwrites the gradient that other paths brought, instead of adding to it",
  factor: "it forgets a factor: the gradient is passed on without the local derivative",
  sign: "it passes the gradient on with the wrong sign",
  leftover: "the gradient was not cleared: it begins with what an earlier sweep left there",
};

modes.push({
  id: "bug",
  title: "Find the bug",
  isWide: true,
  start(page, text) {
    const { data } = page;
    const panel = element("div", "bug");
    let seed = Number(text) || newSeed();
    let bug = null;
    let truth = null;
    let picked = null;
    let guesses = [];

    function another() {
      seed = newSeed();
      [bug, picked, guesses] = [null, null, []];
      page.refresh();
      page.go(page.walk.last);
    }

    function guess() {
      guesses.push(picked);
      show();
    }

    function verdict() {
      const last = guesses.at(-1);
      if (last === undefined) return [];
      if (last === bug.place) {
        const terms = truth.growth[bug.place].map(({ product }) => product);
        return [
          element("p", "right", `Found, at the ${ordinal(guesses.length)} try: ${BUGS[bug.kind]}.`),
          element("p", "", "Without it, the gradient of ", name(bug.place), " is ",
            element("span", "number", ...(terms.length > 1 ? [...summed(terms), " = "] : []), value(gradientOf(truth, bug.place)))),
        ];
      }
      const [wrong, right] = [page.numbers, truth].map((numbers) => decimal(gradientOf(numbers, last), data.precision));
      return [element("p", "wrong", name(last), wrong === right
        ? ": this gradient is right."
        : ": this gradient is wrong, but it follows from what arrives. The mistake was made before, nearer to the output.")];
    }

    function show() {
      if (bug === null) {
        const isPassedOn = truth.steps.some(({ contributions }) => contributions.length);
        return panel.replaceChildren(element("p", "", isPassedOn
          ? "With these numbers no mistake would be seen: give the inputs others."
          : "No gradient is passed on: there is nothing to get wrong."));
      }
      const isRight = guesses.at(-1) === bug.place;
      const ask = button("The mistake is here", guess);
      const named = picked === null ? [] : [name(picked), ", whose gradient is ", value(gradientOf(page.numbers, picked)), " "];
      panel.replaceChildren(
        element("p", "", "On the way back from ", name(data.output),
          " one mistake is made. Choose the first node with a wrong gradient."),
        ...(isRight ? [] : picked === null ? [element("p", "", "Click a node of the graph or of the table.")] : [element("p", "", ...named, ask)]),
        ...verdict(),
        element("div", "toolbar", button("Another bug", another), element("small", "", `number ${seed}`)),
      );
    }

    page.go(page.walk.last);
    return {
      panel, show,
      sweep(numbers) {
        truth = numbers;
        bug = plantBug(data, numbers, seed);
        return bug ? bug.numbers : numbers;
      },
      known: (place) => [page.numbers.values[place], gradientOf(page.numbers, place)],
      pick(place) {
        if (!data.nodes[place].active) return true;
        picked = place;
        show();
        return true;
      },
      get text() { return String(seed); },
    };
  },
});

const newSeed = () => 1 + Math.floor(9999 * Math.random());
const ordinal = (count) => ["first", "second", "third"][count - 1] ?? `${count}th`;

// A mistake that can be seen: its kind, the first node whose gradient is wrong, and all numbers with it; or null.
function plantBug(data, truth, seed) {
  const random = randomNumbers(seed);
  const steps = truth.steps.flatMap(({ adjoint, contributions }, step) => contributions.map((one) => ({ ...one, adjoint, step })));
  const kinds = shuffled(Object.keys(BUGS), random);
  for (const kind of kinds) {
    for (const { argument: place, position, step } of shuffled(steps, random).slice(0, 20)) {
      const numbers = sweepWithBug(data, truth, { kind, place, position, step });
      const [wrong, right] = [numbers, truth].map((one) => decimal(gradientOf(one, place), data.precision));
      if (wrong !== right) return { kind, place, numbers };
    }
  }
  return null;
}

function sweepWithBug({ nodes, order, output }, { values }, bug) {
  const passed = (step, place, adjoint) => passedOn(nodes, place, values, adjoint).map(([position, local, product]) => {
    if (step !== bug.step || position !== bug.position || product === null) return [position, local, product];
    return [position, local, bug.kind === "sign" ? -product : bug.kind === "factor" ? adjoint : product];
  });
  const add = (sum, product, place) => {
    const added = (sum ?? 0) + product;
    if (place !== bug.place) return added;
    return bug.kind === "overwrites" ? product : bug.kind === "leftover" && sum === null ? 2 * product : added;
  };
  return { own: false, values, ...backward(nodes, order, output, passed, add) };
}

// Numbers from 0 to 1 that look random, the same for the same seed (mulberry32).
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled(list, random) {
  return list.map((one) => [random(), one]).sort(([a], [b]) => a - b).map(([, one]) => one);
}
