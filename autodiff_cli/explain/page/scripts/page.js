// Everything together: the page starts here.

const data = pageOfVariant();
data.recorded.values = data.recorded.values.map(number);
data.recorded.adjoints = data.recorded.adjoints.map(number);
data.recorded.passed = data.recorded.passed.map((step) => step.map((one) => one.map(number)));
if (data.rows) data.rows.numbers = data.rows.numbers.map((row) => row.map(number));

const leaves = data.recorded.values.slice();
const walk = makeWalk(data);
const formula = makeFormula(byId("source"), data);
const views = [makeGraph(data, choose), makeTable(data, choose)];
const [graph] = views;
const flow = makeGradientFlow(data);
let numbers = sweep(data, leaves);
let step = 0;

const page = {
  data, walk, graph, leaves, go, refresh,
  set: (given) => inputs.set(given),
  caption: (word) => views.forEach((view) => view.caption(word)),
  get numbers() { return numbers; },
  get step() { return step; },
  get moment() { return walk.moment(step); },
};

function draw(places) {
  for (const place of places) {
    const known = walk.known(numbers, place, step);
    const shown = mode.running?.known?.(place, ...known) ?? known;
    views.forEach((view) => view.set(place, ...shown));
  }
}

function go(wanted) {
  const before = step;
  step = Math.min(Math.max(wanted, 0), walk.last);
  if (mode.running?.known) draw(data.nodes.keys());
  else draw(walk.between(numbers, before, step));
  describe();
}

// Compute and draw everything anew, after other numbers were given or another mode was chosen.
function refresh() {
  const swept = sweep(data, leaves);
  numbers = mode.running?.sweep?.(swept) ?? swept;
  draw(data.nodes.keys());
  formula.set(leaves);
  describe();
}

// What belongs to the step as a whole.
function describe() {
  const { moment } = page;
  if (document.body.dataset.phase !== moment.phase) document.body.dataset.phase = moment.phase;
  views.forEach((view) => view.light(moment.place, walk.beside(numbers, moment)));
  flow.show(numbers, moment.phase === "backward" ? moment.step : -1, player.speed);
  formula.mark(moment.place === null ? null : data.nodes[moment.place].span);
  mode.running?.show(moment);
  byId("progress").textContent = moment.progress;
  byId("slider").value = step;
  byId("slider").setAttribute("aria-valuetext", moment.progress);
  for (const id of ["first", "back"]) byId(id).setAttribute("aria-disabled", String(step === 0));
  for (const id of ["next", "last"]) byId(id).setAttribute("aria-disabled", String(step === walk.last));
  address?.follow();
}

function choose(place) {
  if (mode.running.pick?.(place)) return;
  player.pause();
  go(walk.about(numbers, place, step));
}

const actions = {
  first: () => go(0),
  back: () => go(step - 1),
  next: () => go(step + 1),
  last: () => go(walk.last),
};
const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last" };
const player = makePlayer({
  advance(fromStart = false) {
    if (step === walk.last && !fromStart) return false;
    go(step < walk.last ? step + 1 : 0);
    return true;
  },
  shown: () => address?.follow(),
});

for (const [id, action] of Object.entries(actions)) {
  byId(id).addEventListener("click", () => {
    player.pause();
    action();
  });
}
byId("play").addEventListener("click", () => player.toggle());
byId("slider").max = walk.last;
byId("slider").style.setProperty("--turn", `${(100 * data.nodes.length) / walk.last}%`);
byId("slider").addEventListener("input", (event) => {
  player.pause();
  go(event.target.valueAsNumber);
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.target.matches?.("input, select")) return;
  if (event.key in keys) {
    player.pause();
    actions[keys[event.key]]();
  } else if (event.key === " " && !event.target.matches("button, [role=button]")) {
    player.toggle();
  } else if (event.key === "<" || event.key === ">") {
    player.faster(event.key === ">" ? 1 : -1);
  } else if (event.key === "p" || (event.key === "Escape" && isPresenting())) {
    present(!isPresenting());
  } else {
    return;
  }
  event.preventDefault();
});

const inputs = makeInputs(data, (given) => {
  given.forEach((value, place) => { leaves[place] = value; });
  refresh();
});

byId("smaller").addEventListener("click", () => graph.zoom(1 / 1.25));
byId("larger").addEventListener("click", () => graph.zoom(1.25));
byId("fit").addEventListener("click", () => graph.fit());
addEventListener("resize", () => adapt());
makeDraggable(byId("drawing"), (target) => {
  const { id } = target.closest("[id^=node-]") ?? {};
  const place = data.nodes.findIndex((node) => `node-${node.id}` === id);
  return place < 0 ? undefined : mode.running?.grab?.(place);
});

// ---- Presenting, light and dark ----

const adapt = () => graph.adapt(isPresenting() ? "presented" : mode.isWide ? "overview" : "readable");
const isPresenting = () => document.body.classList.contains("presenting");

function present(on) {
  document.body.classList.toggle("presenting", on);
  byId("present").setAttribute("aria-pressed", String(on));
  adapt();
  address?.follow();
}
byId("present").addEventListener("click", () => present(!isPresenting()));

const root = document.documentElement;
const isDark = () => (root.dataset.theme ?? (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";

function useTheme(theme) {
  if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  else delete root.dataset.theme;
  byId("theme").textContent = isDark() ? "Light" : "Dark";
  address?.follow();
}
byId("theme").addEventListener("click", () => useTheme(isDark() ? "light" : "dark"));

// ---- The start ----

for (const part of document.querySelectorAll("[hidden]:not(#inputs)")) part.hidden = false;
let address = null;
const mode = makeModes(page, adapt);
address = makeAddress({
  set: { read: () => inputs.texts, write: (texts) => { inputs.texts = texts; } },
  mode: { read: () => mode.texts, write: ([text = ""]) => mode.choose(...text.split(":")) },
  step: { read: () => (step ? [String(step)] : []), write: ([text]) => go(Math.trunc(Number(text)) || 0) },
  speed: { read: () => (player.speed === "1" ? [] : [player.speed]), write: ([text = "1"]) => { player.speed = text; } },
  unfold: variantState("unfold"),
  fold: variantState("fold"),
  theme: { read: () => (root.dataset.theme ? [root.dataset.theme] : []), write: ([theme]) => useTheme(theme) },
  present: { read: () => (isPresenting() ? ["yes"] : []), write: ([text]) => present(text === "yes") },
});
makeVariants(page, address.jump);
makePrinting(page);
