// The walk: which step it is, what is known then, and what has to be drawn anew between two steps.

function makeWalk(data) {
  const { nodes, order, output } = data;
  const onward = nodes.length;
  const back = nodes[output].active ? order.length + 1 : 0;
  const passes = new Map(order.map((place, step) => [place, onward + 2 + step]));

  // 0 is the start, then come the steps forward, then the output's own gradient and the steps backward.
  function moment(step) {
    if (step === 0) return { phase: "start", place: null, progress: `start of ${onward + back} steps` };
    if (step <= onward) return { phase: "forward", place: step - 1, progress: `forward ${step} of ${onward}` };
    const progress = `backward ${step - onward} of ${back}`;
    if (step === onward + 1) return { phase: "seed", place: output, progress };
    return { phase: "backward", place: order[step - onward - 2], step: step - onward - 2, progress };
  }

  // The nodes that look different after a step from what they looked like before.
  function touched({ phase, place, step }, numbers) {
    return phase === "start" ? [] : phase === "backward" ? receivers(numbers, step) : [place];
  }

  const receivers = (numbers, step) => numbers.steps[step].contributions.map(({ argument }) => argument);

  return {
    last: onward + back,
    moment,

    // What is known of a node at a step: its value and its gradient, as far as it has been added up; else null.
    known(numbers, place, step) {
      const value = place < step ? numbers.values[place] : null;
      const grown = numbers.growth[place].findLast((part) => part.step + onward + 2 <= step);
      return [value, grown ? grown.total : null];
    },

    between(numbers, from, to) {
      const changed = new Set();
      for (let step = Math.min(from, to) + 1; step <= Math.max(from, to); step++) {
        touched(moment(step), numbers).forEach((place) => changed.add(place));
      }
      return changed;
    },

    // Which nodes are lit besides the current one: those that receive something, or are put into the operation.
    beside(numbers, { phase, place, step }) {
      if (phase === "backward") return receivers(numbers, step);
      return phase === "forward" ? nodes[place].arguments : [];
    },

    // The step that is about a node: on the way back where the walk is there already, and there is one.
    about(numbers, place, step) {
      if (step <= onward) return place + 1;
      const received = numbers.growth[place].at(-1);
      return passes.get(place) ?? (received ? received.step + onward + 2 : place + 1);
    },
  };
}
