// A field and a slider for each input. A text that is no number is marked, and the last number stays.

const SLIDER_STEPS = 200; // from one end of a slider to the other

// The inputs of the page. `changed` is called with the numbers in force, place → number, whenever one of them changes.
function makeInputs(data, changed) {
  const rows = data.inputs.map(({ name: label, place }) => makeInputRow(label, place, data.recorded.values[place]));
  const reset = byId("reset");
  byId("inputs").hidden = !rows.length;
  byId("fields").append(...rows.map(({ holder }) => holder));

  function read() {
    const complaints = rows.map((row) => row.read()).filter(Boolean);
    byId("complaint").textContent = complaints[0] ?? "";
    reset.disabled = rows.every((row) => row.isOriginal());
    changed(new Map(rows.map((row) => [row.place, row.now])));
  }

  rows.forEach((row) => {
    row.field.addEventListener("input", () => {
      row.centre(row.original);
      read();
    });
    row.field.addEventListener("keydown", (event) => {
      const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (direction === undefined || !Number.isFinite(row.now)) return;
      event.preventDefault();
      row.write(shortest(nudged(row.now, direction)));
      read();
    });
    row.slider.addEventListener("input", () => {
      row.write(shortest(row.atSlider()));
      read();
    });
    row.slider.addEventListener("dblclick", () => row.field.select());
  });
  reset.addEventListener("click", () => {
    rows.forEach((row) => row.write(shortest(row.original)));
    read();
    rows[0].field.focus();
  });

  return {
    // Give numbers to inputs: place → number.
    set(numbers) {
      rows.filter((row) => numbers.has(row.place)).forEach((row) => row.write(shortest(numbers.get(row.place))));
      read();
    },

    // What was typed, as `x=1/2`, for each input that is not as it was; and the same read back.
    get texts() {
      return rows.filter((row) => !row.isOriginal()).map(({ label, field }) => `${label}=${field.value}`);
    },
    set texts(texts) {
      rows.forEach((row) => {
        const text = texts.findLast((one) => one.startsWith(`${row.label}=`));
        row.write(text === undefined ? shortest(row.original) : text.slice(row.label.length + 1));
      });
      if (rows.length) read();
    },
  };
}

function makeInputRow(label, place, original) {
  const field = element("input");
  Object.assign(field, { type: "text", inputMode: "text", autocomplete: "off", spellcheck: false });
  field.dataset.input = label;
  field.setAttribute("aria-describedby", "complaint");
  const slider = element("input", "slide");
  Object.assign(slider, { type: "range", min: 0, max: SLIDER_STEPS, step: 1, tabIndex: -1 });
  slider.setAttribute("aria-label", `${label}, slider`);
  const caption = element("label", "", element("span", "name", label), field);
  const row = { label, place, original, now: original, field, slider, holder: element("div", "field", caption, slider) };
  let ends = null;

  // The numbers at the ends of the slider: as far from a number as it is large, in steps of one digit.
  row.centre = (middle) => {
    if (!Number.isFinite(middle)) middle = 0;
    const step = 10 ** Math.floor(Math.log10(Math.max(Math.abs(middle), 0.5)) - 1) * 2;
    const start = Math.round(middle / step) - SLIDER_STEPS / 2;
    ends = { step, start };
  };
  row.atSlider = () => Number(((slider.valueAsNumber + ends.start) * ends.step).toPrecision(12));
  row.write = (text) => {
    field.value = text;
    widen(field);
  };
  row.isOriginal = () => field.value === shortest(original) || Object.is(valueOf(field.value), original);

  // Take the number that is typed; else say why there is none.
  row.read = () => {
    widen(field);
    let complaint = "";
    try {
      row.now = constantExpression(field.value);
      slider.disabled = !Number.isFinite(row.now);
      const at = () => Math.round(row.now / ends.step) - ends.start;
      if (!slider.disabled && (at() < 0 || at() > SLIDER_STEPS)) row.centre(row.now);
      slider.value = slider.disabled ? SLIDER_STEPS / 2 : at();
      slider.setAttribute("aria-valuetext", shortest(row.now));
    } catch (reason) {
      complaint = String(reason);
    }
    field.setAttribute("aria-invalid", String(complaint !== ""));
    return complaint;
  };

  row.centre(original);
  row.write(shortest(original));
  row.read();
  return row;
}

// Room for what is in the field, within reason.
function widen(field) {
  field.style.width = `calc(${Math.min(Math.max(field.value.length, 5), 22) + 1}ch + 1rem)`;
}
