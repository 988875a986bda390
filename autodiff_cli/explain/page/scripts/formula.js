// The formula, line by line, with the place of one node marked, and numbers that are not in force struck out.

function makeFormula(list, { source, nodes, inputs }) {
  let start = 0;
  const lines = source.split("\n").map((line, index) => {
    const made = { text: line, start, holder: list.children[index].firstElementChild, replaced: [] };
    start += line.length + 1;
    return made;
  });
  const defaults = inputs.map(({ place }) => ({ place, span: nodes[place].span }))
    .map((one) => ({ ...one, written: valueOf(source.slice(...one.span)) }))
    .filter(({ written }) => written !== undefined);
  const height = parseFloat(getComputedStyle(list).lineHeight);
  let marked = null;
  lines.forEach((line) => drawLine(line, marked));

  const within = (line, span) => span !== null && line.start < span[1] && line.start + line.text.length > span[0];

  return {
    mark(span) {
      const before = lines.filter((line) => within(line, marked));
      marked = span;
      const now = lines.filter((line) => within(line, marked));
      [...before, ...now].forEach((line) => drawLine(line, marked));
      if (!now.length) return;
      reveal(list, areaOf(now[0].holder, now.at(-1).holder));
      const whole = Math.ceil(list.scrollTop / height - 0.1); // lines: none is cut in two at the top
      list.scrollTop = height * Math.min(whole, Math.floor((list.scrollHeight - list.clientHeight) / height));
    },

    // Show which numbers are in force instead of those that the formula gives its inputs.
    set(values) {
      const changed = defaults.filter(({ place, written }) => !Object.is(written, values[place]));
      for (const line of lines) {
        const replaced = changed.filter(({ span }) => within(line, span))
          .map(({ span: [from, to], place }) => ({ from: from - line.start, to: to - line.start, text: shortest(values[place]) }));
        if (JSON.stringify(replaced) === JSON.stringify(line.replaced)) continue;
        line.replaced = replaced;
        drawLine(line, marked);
      }
    },
  };
}

// A line in pieces: the mark, the comment, and numbers that others stand for.
function drawLine({ text, start, holder, replaced }, marked) {
  const [from, to] = marked === null ? [0, 0] : marked.map((end) => end - start);
  const comment = text.includes("#") ? text.indexOf("#") : text.length;
  const cuts = [0, from, to, comment, text.length, ...replaced.flatMap((one) => [one.from, one.to])];
  const bounds = [...new Set(cuts.map((cut) => Math.min(Math.max(cut, 0), text.length)))].sort((a, b) => a - b);
  holder.replaceChildren(
    ...bounds.slice(1).flatMap((end, index) => {
      const begin = bounds[index];
      const piece = text.slice(begin, end);
      if (begin >= comment) return [element("span", "comment", piece)];
      const other = replaced.find((one) => begin >= one.from && end <= one.to);
      const shown = other ? element("del", "", piece) : piece;
      const inside = begin >= from && end <= to;
      return [inside ? element("mark", "", shown) : shown, ...(other && end === other.to ? [element("ins", "", other.text)] : [])];
    }),
  );
}

function areaOf(first, last) {
  const top = first.offsetTop;
  return { left: 0, top, width: 0, height: last.offsetTop + last.offsetHeight - top };
}
