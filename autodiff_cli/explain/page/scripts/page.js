// Everything together: the page starts here.

const PACE = 1400; // milliseconds for a step when it plays

const data = JSON.parse(byId("data").textContent);
data.recorded.values = data.recorded.values.map(number);
data.recorded.passed = data.recorded.passed.map((step) => step.map((one) => one.map(number)));

const leaves = data.recorded.values.slice();
const walk = makeWalk(data);
const formula = makeFormula(byId("source"), data.source);
const views = [makePicture(data, choose), makeTable(data, choose)];
const [picture] = views;
let numbers = sweep(data, leaves);
let step = 0;
let timer = null;

function draw(places) {
  for (const place of places) {
    const [value, gradient] = walk.known(numbers, place, step);
    views.forEach((view) => view.set(place, value, gradient));
  }
}

function go(wanted) {
  const before = step;
  step = Math.min(Math.max(wanted, 0), walk.last);
  draw(walk.between(numbers, before, step));
  describe();
}

// What belongs to the step as a whole.
function describe() {
  const moment = walk.moment(step);
  document.body.dataset.phase = moment.phase;
  views.forEach((view) => view.light(moment.place, walk.beside(numbers, moment)));
  formula.mark(moment.place === null ? null : data.nodes[moment.place].span);
  byId("told").replaceChildren(...tellingOf(told(data, numbers, moment), data));
  byId("progress").textContent = moment.progress;
  byId("slider").value = step;
  byId("slider").setAttribute("aria-valuetext", moment.progress);
  for (const id of ["first", "back"]) byId(id).setAttribute("aria-disabled", String(step === 0));
  for (const id of ["next", "last"]) byId(id).setAttribute("aria-disabled", String(step === walk.last));
}

function choose(place) {
  play(false);
  go(walk.about(numbers, place, step));
}

function play(on) {
  clearInterval(timer);
  timer = on ? setInterval(() => (step < walk.last ? go(step + 1) : play(false)), PACE) : null;
  byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
  document.body.classList.toggle("playing", on);
  for (const id of ["told", "progress"]) byId(id).setAttribute("aria-live", on ? "off" : "polite");
  if (on) go(step < walk.last ? step + 1 : 0);
}

const actions = {
  first: () => go(0),
  back: () => go(step - 1),
  next: () => go(step + 1),
  last: () => go(walk.last),
};
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };

for (const [id, action] of Object.entries(actions)) {
  byId(id).addEventListener("click", () => {
    play(false);
    action();
  });
}
byId("play").addEventListener("click", () => play(timer === null));
byId("slider").max = walk.last;
byId("slider").style.setProperty("--turn", `${(100 * data.nodes.length) / walk.last}%`);
byId("slider").addEventListener("input", (event) => {
  play(false);
  go(event.target.valueAsNumber);
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches("input")) return;
  if (event.key in keys) {
    play(false);
    actions[keys[event.key]]();
  } else if (event.key === " " && !event.target.matches("button, [role=button]")) {
    play(timer === null);
  } else {
    return;
  }
  event.preventDefault();
});

makeInputs(data, (given) => {
  given.forEach((value, place) => { leaves[place] = value; });
  numbers = sweep(data, leaves);
  draw(data.nodes.keys());
  describe();
});

byId("smaller").addEventListener("click", () => picture.zoom(1 / 1.25));
byId("larger").addEventListener("click", () => picture.zoom(1.25));
byId("fit").addEventListener("click", () => picture.fit());
addEventListener("resize", () => picture.adapt());
makeDraggable(byId("drawing"));

let dark = matchMedia("(prefers-color-scheme: dark)").matches;
const offerTheme = () => { byId("theme").textContent = dark ? "Light" : "Dark"; };
byId("theme").addEventListener("click", () => {
  dark = !dark;
  document.documentElement.dataset.theme = dark ? "dark" : "light";
  offerTheme();
});

for (const part of document.querySelectorAll("[hidden]:not(#inputs)")) part.hidden = false;
draw(data.nodes.keys());
offerTheme();
picture.readable();
describe();
