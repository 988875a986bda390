// The formula, line by line, with the place of one node marked.

function makeFormula(list, text) {
  let start = 0;
  const lines = text.split("\n").map((line, index) => {
    const made = { text: line, start, holder: list.children[index].firstElementChild };
    start += line.length + 1;
    return made;
  });
  let marked = [];
  const height = parseFloat(getComputedStyle(list).lineHeight);
  lines.forEach((line) => drawLine(line, 0, 0));

  return {
    mark(span) {
      marked.forEach((line) => drawLine(line, 0, 0));
      marked = span ? lines.filter((line) => line.start < span[1] && line.start + line.text.length > span[0]) : [];
      marked.forEach((line) => drawLine(line, span[0] - line.start, span[1] - line.start));
      if (marked.length) {
        reveal(list, areaOf(marked[0].holder, marked.at(-1).holder));
        const lines = Math.ceil(list.scrollTop / height - 0.1); // whole ones: none is cut in two at the top
        list.scrollTop = height * Math.min(lines, Math.floor((list.scrollHeight - list.clientHeight) / height));
      }
    },
  };
}

// A line in pieces: before, in and after the mark, and its comment.
function drawLine({ text, holder }, from, to) {
  const comment = text.includes("#") ? text.indexOf("#") : text.length;
  const cuts = [0, from, to, comment, text.length].map((cut) => Math.min(Math.max(cut, 0), text.length));
  const bounds = [...new Set(cuts)].sort((a, b) => a - b);
  holder.replaceChildren(
    ...bounds.slice(1).map((end, index) => {
      const piece = text.slice(bounds[index], end);
      const inside = bounds[index] >= from && end <= to;
      if (bounds[index] >= comment) return element("span", "comment", piece);
      return inside ? element("mark", "", piece) : piece;
    }),
  );
}

function areaOf(first, last) {
  const top = first.offsetTop;
  return { left: 0, top, width: 0, height: last.offsetTop + last.offsetHeight - top };
}
