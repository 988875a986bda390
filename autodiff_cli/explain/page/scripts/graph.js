// The graph: its numbers, what is lit in it, and how large it is drawn.

const SCALES = { least: 0.2, overview: 0.55, readable: 0.85, presented: 1.15, fitting: 1.6, most: 3 };
const MARGIN = 24; // pixels that are kept in sight around the current node

function makeGraph(data, choose) {
  const box = byId("drawing");
  const svg = box.querySelector("svg");
  const [, , width, height] = svg.getAttribute("viewBox").split(" ").map(Number);
  const parts = data.nodes.map((node) => partsOf(node, choose, data.nodes));
  const tabTo = makeRoving(parts.map(({ group }) => group), choose);
  let scale = 1;
  let zoomed = false;
  let current = null;
  let lit = [];

  function resize(wanted) {
    scale = Math.min(Math.max(wanted, SCALES.least), SCALES.most);
    svg.style.width = `${width * scale}px`;
    svg.style.height = `${height * scale}px`;
    show();
  }

  // Bring the current node into sight, and what is lit besides, where all of it fits into the box.
  function show() {
    if (current === null) return;
    const origin = svg.getBoundingClientRect();
    const nodes = [parts[current].group, ...lit.filter((part) => part.classList.contains("node"))];
    const areas = nodes.map((node) => node.getBoundingClientRect());
    const along = (start, end, room) => {
      const spanOf = (some) => {
        const first = Math.min(...some.map((area) => area[start])) - MARGIN;
        return [first - origin[start], Math.max(...some.map((area) => area[end])) + MARGIN - first];
      };
      const all = spanOf(areas);
      return all[1] <= room ? all : spanOf(areas.slice(0, 1));
    };
    const [left, width] = along("left", "right", box.clientWidth);
    const [top, height] = along("top", "bottom", box.clientHeight);
    reveal(box, { left, top, width, height });
  }

  // As wide as its box, but no higher than this can become.
  function fit(least) {
    resize(Math.max(Math.min(box.clientWidth / width, SCALES.fitting), least));
    if (box.clientHeight < height * scale) resize(Math.max(Math.min(scale, box.clientHeight / height), least));
  }

  return {
    set(place, value, gradient) {
      const { numbers, drawn } = parts[place];
      const changed = [[numbers.data, value], [numbers.grad, gradient]]
        .filter(([holder, shown]) => holder && showNumber(holder, shown, data.precision));
      if (changed.length) announce(parts[place]);
      drawn.forEach((part) => part.classList.toggle("ahead", value === null));
    },

    light(place, receivers) {
      lit.forEach((part) => part.classList.remove("current", "receiver"));
      const drawn = place === null ? [] : parts[place].drawn;
      drawn.forEach((part) => part.classList.add("current"));
      const groups = receivers.map((receiver) => parts[receiver].group);
      groups.forEach((part) => part.classList.add("receiver"));
      lit = [...drawn, ...groups];
      current = place;
      if (place !== null) tabTo(place);
      show();
    },

    // Mark paths: a class for the parts of some links between nodes, which are contributions of steps with their node.
    trace(links, className) {
      svg.querySelectorAll(`.${className}`).forEach((part) => part.classList.remove(className));
      for (const { place, position, argument } of links) {
        const [to, from] = [data.nodes[place].id, data.nodes[argument].id];
        const names = [`node-${to}`, `result-${to}`, `operation-${to}`, `edge-${from}-${to}-${position}`, `node-${from}`];
        names.forEach((id) => byId(id)?.classList.add(className));
        byId(`again-${to}-${position}`)?.classList.add(className);
      }
    },

    // Call the second number of every node otherwise.
    caption(word) {
      parts.forEach((part) => {
        if (part.caption) part.caption.textContent = word;
        announce(part);
      });
    },

    fit: () => fit(SCALES.least),
    zoom: (factor) => {
      zoomed = true;
      resize(scale * factor);
    },
    adapt: (purpose) => zoomed || fit(SCALES[purpose]),
  };
}

// What is drawn for a node: its box, the circle and the lines of its operation, and the boxes of arguments that are far
// away and therefore drawn again.
function partsOf({ id, name, arguments: operands }, choose, nodes) {
  const group = byId(`node-${id}`);
  group.setAttribute("role", "button");
  group.dataset.name = name;
  const drawn = [group, byId(`operation-${id}`), byId(`result-${id}`)];
  operands.forEach((operand, position) => {
    const again = byId(`again-${id}-${position}`);
    again?.addEventListener("click", () => choose(operand));
    drawn.push(byId(`edge-${nodes[operand].id}-${id}-${position}`), again);
  });
  const numbers = { data: group.querySelector(".data"), grad: group.querySelector(".grad") };
  const caption = [...group.querySelectorAll("text")].find(({ textContent }) => textContent === "grad");
  return { group, drawn: drawn.filter(Boolean), numbers, caption: numbers.grad && caption };
}

// What a screen reader says of a node: its name, value and gradient, as they are drawn.
function announce({ group }) {
  const texts = [...group.querySelectorAll("text")].map(({ textContent }) => textContent);
  group.setAttribute("aria-label", texts.filter(Boolean).join(" "));
}

// Move the content of a box with the mouse, or call what `grab(target)` gives with the way in pixels, to the right and
// down; a click that ends a move is none.
function makeDraggable(box, grab) {
  box.addEventListener("pointerdown", (down) => {
    if (down.pointerType !== "mouse" || down.button !== 0) return;
    const { scrollLeft, scrollTop } = box;
    const drag = grab(down.target) ?? ((right, lower) => box.scrollTo(scrollLeft - right, scrollTop - lower));
    let moved = false;
    const move = (event) => {
      const way = [event.clientX - down.clientX, event.clientY - down.clientY];
      moved ||= Math.hypot(...way) > 4;
      if (moved) drag(...way);
    };
    const stop = () => {
      removeEventListener("pointermove", move);
      if (!moved) return;
      const swallow = (click) => click.stopPropagation();
      addEventListener("click", swallow, { once: true, capture: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
    };
    addEventListener("pointermove", move);
    addEventListener("pointerup", stop, { once: true });
  });
}
