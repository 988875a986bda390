// The table: a row for each node.

function makeTable(data, choose) {
  const box = byId("rows");
  const rows = data.nodes.map(({ id }) => {
    const row = byId(`row-${id}`);
    const [button, value, gradient] = ["button", ".data", ".grad"].map((selector) => row.querySelector(selector));
    return { row, button, value, gradient };
  });
  const tabTo = makeRoving(rows.map(({ button }) => button), choose);
  rows.forEach(({ row, button }, place) => {
    row.addEventListener("click", (event) => event.target !== button && choose(place));
  });
  const head = box.querySelector("thead");
  let lit = [];

  return {
    caption(word) {
      head.querySelector(".grad").textContent = word;
    },

    set(place, value, gradient) {
      showNumber(rows[place].value, value, data.precision);
      showNumber(rows[place].gradient, gradient, data.precision);
      rows[place].row.classList.toggle("ahead", value === null);
    },

    light(place, receivers) {
      lit.forEach((row) => {
        row.classList.remove("current", "receiver");
        row.removeAttribute("aria-current");
      });
      lit = [place, ...receivers].filter((one) => one !== null).map((one) => rows[one].row);
      lit.forEach((row, index) => row.classList.add(index ? "receiver" : "current"));
      if (place === null) return;
      lit[0].setAttribute("aria-current", "step");
      tabTo(place);
      const { offsetTop: top, offsetHeight: height } = lit[0];
      reveal(box, { left: box.scrollLeft, top: top - head.offsetHeight, width: 0, height: height + head.offsetHeight });
    },
  };
}
