// Elements of the page. Text is only ever set as text, never as markup.

const byId = (id) => document.getElementById(id);

function element(tag, className, ...children) {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.append(...children);
  return made;
}

// A number as the tables have it, in its element; null leaves it blank. All its digits are kept beside it.
function showNumber(holder, shown, digits) {
  const exact = shown === null ? "" : shortest(shown);
  if (holder.dataset.number === exact) return;
  holder.dataset.number = exact;
  holder.textContent = decimal(shown, digits);
  holder.classList.toggle("nonfinite", shown !== null && !Number.isFinite(shown));
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
