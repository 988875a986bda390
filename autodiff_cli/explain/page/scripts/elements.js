// Elements of the page. Text is only ever set as text, never as markup.

const byId = (id) => document.getElementById(id);

function element(tag, className, ...children) {
  return part(tag, className ? { className } : {}, ...children);
}

// An element with properties: `part("button", { textContent: "Go" })`; those with a dash or in ARIA are attributes.
function part(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [key, setting] of Object.entries(properties)) {
    if (key.includes("-") || key === "role") made.setAttribute(key, setting);
    else made[key] = setting;
  }
  made.append(...children);
  return made;
}

function button(text, action) {
  const made = part("button", { type: "button", className: "quiet", textContent: text });
  made.addEventListener("click", action);
  return made;
}

// Captions, each a text or pieces, with the pieces of what they stand for.
function definitionList(entries) {
  const pairs = entries.map(([caption, pieces]) => [element("dt", "", ...[caption].flat()), element("dd", "", ...pieces)]);
  return element("dl", "", ...pairs.flat());
}

// A choice among the nodes at some places, by their names.
function nodeChoice(places, nodes, label, changed) {
  const options = places.map((place) => part("option", { value: place, textContent: nodes[place].name }));
  const choice = part("select", { "aria-label": label }, ...options);
  choice.addEventListener("change", () => changed(Number(choice.value)));
  return choice;
}

function svgElement(tag, attributes, ...children) {
  const made = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, setting] of Object.entries(attributes)) made.setAttribute(key, setting);
  made.append(...children);
  return made;
}

// A number as text in a sentence or a cell.
function figure(shown, digits, className = "number") {
  const holder = element("span", className);
  showNumber(holder, shown, digits);
  return holder;
}

// A number as the tables have it, in its element; null leaves it blank. All its digits are kept beside it. Whether it is
// another number than before is returned.
function showNumber(holder, shown, digits) {
  const exact = shown === null ? "" : shortest(shown);
  if (holder.dataset.number === exact) return false;
  holder.dataset.number = exact;
  holder.textContent = decimal(shown, digits);
  holder.classList.toggle("nonfinite", shown !== null && !Number.isFinite(shown));
  return true;
}

// Scroll a box until an area of its content is in sight; nothing outside of the box moves.
function reveal(box, { left, top, width, height }) {
  box.scrollTo({
    left: nearest(box.scrollLeft, box.clientWidth, left, width),
    top: nearest(box.scrollTop, box.clientHeight, top, height),
  });
}

// Where to scroll to along one axis: nowhere if the area is in sight already.
function nearest(from, visible, start, size) {
  if (start >= from && start + size <= from + visible) return from;
  return start - Math.max(0, visible - size) / 2;
}

// Elements of which the tab key reaches one, and the keys up and down the others.
function makeRoving(elements, choose) {
  let reached = elements[0];
  reached.setAttribute("tabindex", "0");
  elements.slice(1).forEach((one) => one.setAttribute("tabindex", "-1"));
  elements.forEach((one, place) => {
    one.addEventListener("click", () => choose(place));
    one.addEventListener("keydown", (event) => {
      const to = elements[place + ({ ArrowUp: -1, ArrowDown: 1 }[event.key] ?? NaN)];
      if (to) reach(to, true);
      else if (event.key === "Enter" || event.key === " ") choose(place);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  });

  function reach(one, focus) {
    reached.setAttribute("tabindex", "-1");
    reached = one;
    one.setAttribute("tabindex", "0");
    if (focus || elements.includes(document.activeElement)) one.focus({ preventScroll: !focus });
  }
  return (place) => reach(elements[place], false);
}
