// The usual mode: what happens in the step.

modes.push({
  id: "steps",
  title: "This step",
  start(page) {
    const panel = element("div", "steps");
    return {
      panel,
      show: (moment) => panel.replaceChildren(...stepElements(page.data, page.numbers, moment)),
    };
  },
});
