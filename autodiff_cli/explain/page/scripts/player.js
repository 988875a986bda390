// Playing: one step after the other, at a speed that can be set.

const PACE = 1400; // milliseconds for a step at the speed 1

function makePlayer({ advance, shown }) {
  const speed = byId("speed");
  let timer = null;

  function play(on) {
    clearInterval(timer);
    timer = on ? setInterval(() => advance() || play(false), PACE / Number(speed.value)) : null;
    byId("play").setAttribute("aria-label", on ? "Pause" : "Play");
    document.body.classList.toggle("playing", on);
    for (const id of ["panel", "progress"]) byId(id).setAttribute("aria-live", on ? "off" : "polite");
  }
  function start() {
    play(true);
    advance(true);
  }
  function change(text) {
    speed.value = text;
    if (timer !== null) play(true);
    shown();
  }

  speed.addEventListener("change", () => change(speed.value));
  return {
    toggle: () => (timer === null ? start() : play(false)),
    pause: () => timer !== null && play(false),
    faster: (by) => change(speed.options[Math.min(Math.max(speed.selectedIndex + by, 0), speed.options.length - 1)].value),
    get speed() { return speed.value; },
    set speed(text) {
      if ([...speed.options].some((one) => one.value === text)) change(text);
    },
  };
}
