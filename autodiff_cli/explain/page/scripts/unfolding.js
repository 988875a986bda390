// A function unfolds into what it means: the page carries a second graph, table and data for it in a template, and shows
// those when the address says `unfold=tanh`.

const unfoldedName = new URLSearchParams(location.hash.slice(1)).get("unfold");
const unfoldedPart = document.getElementById(`unfolded-${unfoldedName}`);

// The data of the page, folded or not; the graph and the table are replaced likewise.
function unfoldPage() {
  if (!(unfoldedPart instanceof HTMLTemplateElement)) return dataOf(document.getElementById("data"));
  const { content } = unfoldedPart;
  document.getElementById("drawing").replaceChildren(content.querySelector("svg").cloneNode(true));
  const rows = [...content.querySelectorAll("tr")].map((row) => row.cloneNode(true));
  document.querySelector("#rows tbody").replaceChildren(...rows);
  return dataOf(content.querySelector("script"));
}

const dataOf = (script) => JSON.parse(script.textContent);

// Buttons to unfold and fold, and double clicks on a node or its operation. `jump(changes)` opens another address.
function makeUnfolding(page, jump) {
  const isUnfolded = unfoldedPart instanceof HTMLTemplateElement;
  const names = [...document.querySelectorAll("template[data-name]")].map((one) => one.dataset.name);
  const toggle = (called) => {
    const folds = isUnfolded && called === unfoldedName;
    const other = dataOf(folds ? byId("data") : byId(`unfolded-${called}`).content.querySelector("script"));
    jump({ unfold: folds ? null : called, step: stepIn(other, page) });
  };
  byId("unfolding").append(...names.map((called) => {
    const pressed = isUnfolded && called === unfoldedName;
    const made = button(`${pressed ? "Fold" : "Unfold"} ${called}`, () => toggle(called));
    made.setAttribute("aria-pressed", String(pressed));
    return made;
  }));
  byId("drawing").addEventListener("dblclick", (event) => {
    const id = event.target.closest("[id^=node-], [id^=operation-]")?.id.split("-")[1];
    const node = page.data.nodes.find((one) => String(one.id) === id);
    const called = node?.key?.split("/")[0];
    if (isUnfolded && node?.inside) toggle(unfoldedName);
    else if (names.includes(called)) toggle(called);
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
