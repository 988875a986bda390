// The address of the page, where the state stands after `#`: a reload keeps it, and a link shares it.

const PATIENCE = 200; // milliseconds until the address follows

// `state` has for each key a function that gives its texts and one that takes them: `{ step: { read, write } }`.
function makeAddress(state) {
  let timer = null;
  let own = null; // the address that the page agrees with

  const pairsOf = () => Object.entries(state).flatMap(([key, { read }]) => read().map((text) => [key, text]));

  function write() {
    if (location.hash !== own) return; // another address was just opened: it will be read
    const pairs = pairsOf();
    history.replaceState(null, "", pairs.length ? `#${new URLSearchParams(pairs)}` : location.href.split("#")[0]);
    own = location.hash;
  }
  function read() {
    own = location.hash;
    const given = new URLSearchParams(location.hash.slice(1));
    for (const [key, { write: take }] of Object.entries(state)) take(given.getAll(key));
  }

  addEventListener("hashchange", () => location.hash !== own && read());
  addEventListener("pagehide", write);
  read();
  return {
    // Open the page anew with some of its state changed: key → text, or null for none. It finds `note` in `history.state`.
    jump(changes, note) {
      const kept = pairsOf().filter(([key]) => !(key in changes));
      const given = Object.entries(changes).filter(([, text]) => text !== null);
      history.replaceState(note, "", `#${new URLSearchParams([...kept, ...given])}`);
      location.reload();
    },
    follow() {
      clearTimeout(timer);
      timer = setTimeout(write, PATIENCE);
    },
  };
}
