// A field for each input. A text that is no number is marked, and the last number stays.

function makeInputs(data, changed) {
  const fields = data.inputs.map(({ name: label, place }) => makeField(label, place, data.recorded.values[place]));
  const complaint = byId("complaint");
  const reset = byId("reset");
  byId("inputs").hidden = !fields.length;
  byId("fields").append(...fields.map(({ holder }) => holder));

  function read() {
    fields.forEach(({ field }) => widen(field));
    const wrong = fields.filter(({ field }) => typed(field.value) === undefined);
    fields.forEach((one) => one.field.setAttribute("aria-invalid", String(wrong.includes(one))));
    const text = wrong[0]?.field.value.slice(0, 40);
    complaint.textContent = wrong.length ? `“${text}” is not a number such as -0.5 or 1e-3` : "";
    reset.disabled = fields.every(({ field, original }) => Object.is(typed(field.value), original));
    const right = fields.filter((one) => !wrong.includes(one));
    changed(new Map(right.map(({ field, place }) => [place, typed(field.value)])));
  }

  fields.forEach(({ field }) => {
    field.addEventListener("input", read);
    field.addEventListener("keydown", (event) => {
      const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      const now = typed(field.value);
      if (direction === undefined || !Number.isFinite(now)) return;
      event.preventDefault();
      field.value = shortest(nudged(now, direction));
      read();
    });
  });
  reset.addEventListener("click", () => {
    fields.forEach(({ field, original }) => { field.value = shortest(original); });
    read();
    fields[0].field.focus();
  });
}

// Room for what is in the field, within reason.
function widen(field) {
  field.style.width = `calc(${Math.min(Math.max(field.value.length, 5), 24) + 1}ch + 1rem)`;
}

function makeField(label, place, original) {
  const field = element("input");
  Object.assign(field, { type: "text", inputMode: "decimal", autocomplete: "off", spellcheck: false });
  field.value = shortest(original);
  field.dataset.input = label;
  widen(field);
  field.setAttribute("aria-describedby", "complaint");
  const holder = element("label", "", element("span", "name", label), field);
  return { holder, field, place, original };
}
