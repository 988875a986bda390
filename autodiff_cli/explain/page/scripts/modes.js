// The modes of the page: what the panel beside the graph is for. A mode is a file in `modes/` that adds an entry here:
//
//   id, title     its name in the address, and on its button
//   isWide        whether it is about the whole graph, which is then drawn smaller
//   start(page, text)   begins it and returns
//     panel         an element that fills the panel
//     show(moment)  brings the panel up to date with the moment of the walk
//     known(place, value, gradient)   optional: the two numbers to show of a node instead
//     sweep(numbers)                  optional: the numbers of both sweeps to work with instead
//     pick(place)                     optional: takes a click on a node; whether it did
//     grab(place)                     optional: what a mouse that drags a node calls with the pixels to the right
//     text                            optional: what the address keeps of it and `start` gets
//     stop()                          optional: the end
//
// `page` has the data, the walk, the graph, the numbers, the step and the moment; `go(step)`, `set(numbers)`,
// which gives numbers to inputs, and `refresh()`, which draws everything anew.

const modes = [];

function makeModes(page, adapt) {
  const bar = byId("modes");
  const buttons = modes.map(({ id, title }) => Object.assign(button(title, () => choose(id)), { id: `mode-${id}` }));
  let chosen = null;
  let running = null;
  bar.append(...buttons);

  function choose(id, text) {
    running?.stop?.();
    chosen = modes.find((mode) => mode.id === id) ?? modes[0];
    running = null;
    page.refresh();
    running = chosen.start(page, text);
    buttons.forEach((button, place) => button.setAttribute("aria-pressed", String(modes[place] === chosen)));
    document.body.dataset.mode = chosen.id;
    byId("panel").replaceChildren(running.panel);
    adapt();
    page.refresh();
  }

  return {
    choose,
    get isWide() { return chosen?.isWide; },
    get texts() {
      const text = running?.text;
      return chosen === modes[0] ? [] : [text === undefined ? chosen.id : `${chosen.id}:${text}`];
    },
    get running() { return running; },
  };
}
