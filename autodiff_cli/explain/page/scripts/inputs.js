// A field and a slider for each input. A text that is not a number is marked, and the last number stays.

const SLIDER_STEPS = 200; // from one end of a slider to the other

// The inputs of the page. `changed` is called with the numbers in force, place → number, whenever one of them changes.
function makeInputs(data, changed) {
  const controls = data.inputs.map(({ name: label, place }) => makeInputControl(label, place, data.recorded.values[place]));
  const reset = byId("reset");
  byId("inputs").hidden = !controls.length;
  byId("fields").append(...controls.map(({ holder }) => holder));

  function read() {
    const complaints = controls.map((control) => control.read()).filter(Boolean);
    byId("complaint").textContent = complaints[0] ?? "";
    reset.disabled = controls.every((control) => control.isOriginal());
    changed(new Map(controls.map((control) => [control.place, control.now])));
  }

  controls.forEach((control) => {
    control.field.addEventListener("input", () => {
      control.centre(control.original);
      read();
    });
    control.field.addEventListener("keydown", (event) => {
      const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
      if (direction === undefined || !Number.isFinite(control.now)) return;
      event.preventDefault();
      control.write(shortest(nudged(control.now, direction)));
      read();
    });
    control.slider.addEventListener("input", () => {
      control.write(shortest(control.atSlider()));
      read();
    });
    control.slider.addEventListener("dblclick", () => control.field.select());
  });
  reset.addEventListener("click", () => {
    controls.forEach((control) => control.write(shortest(control.original)));
    read();
    controls[0].field.focus();
  });

  return {
    // Give numbers to inputs: place → number.
    set(numbers) {
      controls.filter((control) => numbers.has(control.place)).forEach((control) => control.write(shortest(numbers.get(control.place))));
      read();
    },

    // What was typed, as `x=1/2`, for each input that is not as it was; and the same read back.
    get texts() {
      return controls.filter((control) => !control.isOriginal()).map(({ label, field }) => `${label}=${field.value}`);
    },
    set texts(texts) {
      controls.forEach((control) => {
        const text = texts.findLast((one) => one.startsWith(`${control.label}=`));
        control.write(text === undefined ? shortest(control.original) : text.slice(control.label.length + 1));
      });
      if (controls.length) read();
    },
  };
}

function makeInputControl(label, place, original) {
  const field = part("input", { type: "text", inputMode: "text", autocomplete: "off", spellcheck: false,
    "data-input": label, "aria-describedby": "complaint" });
  const slider = part("input", { type: "range", className: "slide", min: 0, max: SLIDER_STEPS, step: 1, tabIndex: -1,
    "aria-label": `${label}, slider` });
  const caption = element("label", "", element("span", "name", label), field);
  const control = { label, place, original, now: original, field, slider, holder: element("div", "field", caption, slider) };
  let ends = null;

  // The numbers at the ends of the slider: as far from a number as it is large, in steps of one digit.
  control.centre = (middle) => {
    if (!Number.isFinite(middle)) middle = 0;
    const step = 10 ** Math.floor(Math.log10(Math.max(Math.abs(middle), 0.5)) - 1) * 2;
    const start = Math.round(middle / step) - SLIDER_STEPS / 2;
    ends = { step, start };
  };
  control.atSlider = () => Number(((slider.valueAsNumber + ends.start) * ends.step).toPrecision(12));
  control.write = (text) => {
    field.value = text;
    widen(field);
  };
  control.isOriginal = () => field.value === shortest(original) || Object.is(valueOf(field.value), original);

  // Take the number that is typed; else say why there is none.
  control.read = () => {
    widen(field);
    let complaint = "";
    try {
      control.now = constantExpression(field.value);
      slider.disabled = !Number.isFinite(control.now);
      const at = () => Math.round(control.now / ends.step) - ends.start;
      if (!slider.disabled && (at() < 0 || at() > SLIDER_STEPS)) control.centre(control.now);
      slider.value = slider.disabled ? SLIDER_STEPS / 2 : at();
      slider.setAttribute("aria-valuetext", shortest(control.now));
    } catch (reason) {
      complaint = String(reason);
    }
    field.setAttribute("aria-invalid", String(complaint !== ""));
    return complaint;
  };

  control.centre(original);
  control.write(shortest(original));
  control.read();
  return control;
}

// Room for what is in the field, within reason.
function widen(field) {
  field.style.width = `calc(${Math.min(Math.max(field.value.length, 5), 24) + 1}ch + 1rem)`;
}
