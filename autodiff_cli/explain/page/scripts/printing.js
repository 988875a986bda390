// On paper: all numbers, and every step below the graph and the table.

function makePrinting(page) {
  const { data, walk } = page;
  let printed = null;
  let before = 0;

  addEventListener("beforeprint", () => {
    if (printed) return;
    before = page.step;
    page.go(walk.last);
    const steps = Array.from({ length: walk.last }, (_, step) => {
      const panel = element("div", "steps", ...stepElements(data, page.numbers, walk.moment(step + 1)));
      panel.dataset.phase = walk.moment(step + 1).phase;
      return panel;
    });
    printed = element("section", "printed", element("h2", "", "All steps"), element("div", "all", ...steps));
    document.querySelector("main").append(printed);
  });
  addEventListener("afterprint", () => {
    printed?.remove();
    printed = null;
    page.go(before);
  });
}
