// Predict: the next number is hidden until it is typed, and the page says whether it is right, or why not.

const NEAR = 0.005; // how far off a number may be, in parts of it

modes.push({
  id: "predict",
  title: "Predict",
  start(page) {
    const { data, walk } = page;
    const panel = element("div", "predict");
    const score = { asked: 0, right: 0 };
    let verdict = null; // on the step that was answered last
    let fields = [];
    const isNumber = (place) => !Number.isNaN(Number(data.nodes[place].name)); // as -1, which the formula has
    // The name of a value, and its formula where that is not the name.
    const defined = (place) => [name(place), ...(data.nodes[place].formula === data.nodes[place].name ? [] : [` = ${data.nodes[place].formula}`])];

    // What can be asked at a step: texts, each with the number that answers it.
    function questions(step) {
      const { phase, place, step: back } = walk.moment(step);
      if (phase === "forward" && data.nodes[place].key !== null && !isNumber(place)) {
        return [{ text: [...defined(place), " ="], answer: page.numbers.values[place] }];
      }
      if (phase !== "backward") return [];
      return page.numbers.steps[back].contributions.map(({ argument, product }) => (
        { text: [name(place), " passes on to ", name(argument)], answer: product }
      ));
    }
    function nextQuestion() {
      let step = page.step + 1;
      while (step <= walk.last && !questions(step).length) step += 1;
      return step;
    }

    function check(step, asked) {
      const wrong = asked.filter(({ answer }, index) => !isNear(fields[index].value, answer, data.precision));
      score.asked += asked.length;
      score.right += asked.length - wrong.length;
      verdict = { step, wrong };
      page.go(step);
      panel.querySelector("input, button")?.focus();
    }

    function questionForm() {
      const step = nextQuestion();
      if (step > walk.last && !score.asked) return element("h3", "", "This is the last step: go back to one before it.");
      if (step > walk.last) return element("h3", "", `The end: ${score.right} of ${score.asked} right`);
      const asked = questions(step);
      const { phase, place } = walk.moment(step);
      const head = phase === "forward" ? ["What is the value of ", name(place), "?"] : ["What does ", name(place), " pass on?"];
      fields = asked.map(() => part("input", { size: 10, autocomplete: "off" }));
      const submit = part("button", { className: "quiet", textContent: "Check" });
      const complaint = part("p", { className: "wrong", role: "alert" });
      const form = element("form", "",
        element("h3", "", ...head),
        ...(phase === "forward" ? [] : [element("p", "", "The gradient of ", ...defined(place), " is ",
          value(page.numbers.steps[walk.moment(step).step].adjoint), ".")]),
        ...asked.map(({ text }, index) => element("label", "", element("span", "", ...text), fields[index])),
        complaint, submit);
      form.addEventListener("submit", (event) => {
        event.preventDefault();
        const empty = fields.find((field) => valueOf(field.value) === undefined);
        fields.forEach((field) => field.setAttribute("aria-invalid", String(valueOf(field.value) === undefined)));
        complaint.textContent = empty ? notANumber(empty.value) : "";
        if (empty) empty.focus();
        else check(step, asked);
      });
      return form;
    }

    return {
      panel,
      show() {
        if (verdict?.step !== page.step) verdict = null;
        const tally = element("p", "tally", score.asked ? `${score.right} of ${score.asked} right so far` : "");
        if (!verdict) return panel.replaceChildren(questionForm(), tally);
        if (!verdict.wrong.length) return panel.replaceChildren(element("p", "right", "Right."), questionForm(), tally);
        const why = stepElements(data, page.numbers, page.moment);
        const onward = button("Next question", () => {
          verdict = null;
          this.show();
          fields[0]?.focus();
        });
        panel.replaceChildren(element("p", "wrong", "Not quite. This is why:"), onward, element("div", "steps", ...why), tally);
      },
    };
  },
});

// Whether a text is a number, near enough: half a percent off, or the same digits.
function isNear(text, answer, digits) {
  const given = valueOf(text);
  if (given === undefined) return false;
  if (!Number.isFinite(answer)) return Object.is(given, answer);
  return Math.abs(given - answer) <= NEAR * Math.abs(answer) || decimal(given, digits) === decimal(answer, digits) || Math.abs(given - answer) < 1e-12;
}
