// The address of the page, where the state stands after `#`: a reload keeps it, and a link shares it.

const PATIENCE = 200; // milliseconds until the address follows

// `state` has for each key a function that gives its texts and one that takes them: `{ step: { read, write } }`.
function makeAddress(state) {
  let timer = null;
  let own = location.hash;

  function write() {
    const pairs = Object.entries(state).flatMap(([key, { read }]) => read().map((text) => [key, text]));
    own = pairs.length ? `#${new URLSearchParams(pairs)}` : "";
    if (own !== location.hash) history.replaceState(null, "", own || location.href.split("#")[0]);
  }
  function read() {
    const given = new URLSearchParams(location.hash.slice(1));
    for (const [key, { write: take }] of Object.entries(state)) take(given.getAll(key));
  }

  addEventListener("hashchange", () => location.hash !== own && read());
  addEventListener("pagehide", () => timer !== null && write());
  read();
  return {
    follow() {
      clearTimeout(timer);
      timer = setTimeout(write, PATIENCE);
    },
  };
}
