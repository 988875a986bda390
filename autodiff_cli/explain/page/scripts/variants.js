// Other graphs for the same computation: a function unfolded into what it means, or calls of the program's own function
// folded. The page carries a second graph, table and data for each in a template, and shows those when the address says
// `unfold=tanh` or `fold=neuron`.

const variants = [...document.querySelectorAll("template[data-key]")];
const variantMeant = () => {
  const given = new URLSearchParams(location.hash.slice(1));
  return variants.find(({ dataset }) => given.get(dataset.key) === dataset.name);
};
const variant = variantMeant();

// The data of the page in its variant; the graph and the table are replaced likewise.
function pageOfVariant() {
  if (!variant) return dataOf(document.getElementById("data"));
  const { content } = variant;
  document.getElementById("drawing").replaceChildren(content.querySelector("svg").cloneNode(true));
  const rows = [...content.querySelectorAll("tr")].map((row) => row.cloneNode(true));
  document.querySelector("#rows tbody").replaceChildren(...rows);
  return dataOf(content.querySelector("script"));
}

const dataOf = (script) => JSON.parse(script.textContent);

// What the address says of the variants of one kind; another one is another page.
function variantState(key) {
  const shown = variant?.dataset.key === key ? variant.dataset.name : null;
  return { read: () => (shown ? [shown] : []), write: () => variantMeant() !== variant && location.reload() };
}

// Buttons to unfold and fold, and double clicks on a node or its operation. `jump(changes)` opens another address.
function makeVariants(page, jump) {
  const toggle = (part, note) => {
    const other = dataOf(part === variant ? byId("data") : part.content.querySelector("script"));
    const { key, name } = part.dataset;
    jump({ unfold: null, fold: null, [key]: part === variant ? null : name, step: stepIn(other, page) }, note);
  };
  byId("variants").append(...variants.map((part, place) => {
    const made = button(part === variant ? part.dataset.back : part.dataset.label, () => toggle(part, place));
    made.setAttribute("aria-pressed", String(part === variant));
    return made;
  }));
  byId("variants").children[history.state]?.focus(); // the button that opened this page
  byId("drawing").addEventListener("dblclick", (event) => {
    const id = event.target.closest("[id^=node-], [id^=operation-]")?.id.split("-")[1];
    const node = page.data.nodes.find((one) => String(one.id) === id);
    const called = node?.key?.split("/")[0];
    const isWithin = variant?.dataset.key === "unfold" ? node?.inside : variant?.dataset.name === called;
    const part = variant && isWithin ? variant : variants.find(({ dataset }) => dataset.key === "unfold" && dataset.name === called);
    if (part) toggle(part);
  });
}

// The step of the same node in another version of the data.
function stepIn({ nodes, order }, { data, moment }) {
  if (moment.place === null) return 0;
  const place = nodes.findIndex((node) => node.name === data.nodes[moment.place].name);
  const back = order.indexOf(place);
  if (moment.phase === "seed") return nodes.length + 1;
  if (moment.phase === "backward") return back < 0 ? nodes.length + order.length + 1 : nodes.length + 2 + back;
  return place + 1;
}
