// The modes of the page: what the panel beside the graph is for. A mode is a file in `modes/` that adds an entry here:
//
//   id, title     its name in the address, and on its button
//   start(page)   begins it and returns
//     panel         an element that fills the panel
//     show(moment)  brings the panel up to date with the moment of the walk
//     known(place, value, gradient)   optional: the two numbers to show of a node instead
//     sweep(numbers)                  optional: the numbers of both sweeps to work with instead
//     stop()                          optional: the end
//
// `page` has the data, the walk, the graph's picture, the numbers, the step and the moment; `go(step)`, `set(numbers)`,
// which gives numbers to inputs, and `refresh()`, which draws everything anew.

const modes = [];

function makeModes(page) {
  const bar = byId("modes");
  const buttons = modes.map(({ id, title }) => {
    const button = element("button", "quiet", title);
    Object.assign(button, { type: "button", id: `mode-${id}` });
    button.addEventListener("click", () => choose(id));
    return button;
  });
  let chosen = null;
  let running = null;
  bar.append(...buttons);

  function choose(id) {
    running?.stop?.();
    chosen = modes.find((mode) => mode.id === id) ?? modes[0];
    running = null;
    page.refresh();
    running = chosen.start(page);
    buttons.forEach((button, place) => button.setAttribute("aria-pressed", String(modes[place] === chosen)));
    document.body.dataset.mode = chosen.id;
    byId("told").replaceChildren(running.panel);
    page.refresh();
  }

  return {
    choose,
    get id() { return chosen?.id ?? modes[0].id; },
    get running() { return running; },
  };
}
