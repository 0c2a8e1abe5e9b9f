/** Styles of the views that are not there from the start. */

/** @type {Map<string, Promise<void>>} */
const asked = new Map();

/**
 * Load style sheets, each once. A view awaits them before its first line, so that nobody sees it bare.
 * @param {...string} names for example `history.css`, beside index.html
 * @returns {Promise<void>} settles in any case: without its style a view can still be read
 */
export async function needStyles(...names) {
  await Promise.all(names.map(load));
}

/** @param {string} name */
function load(name) {
  const known = asked.get(name);
  if (known) return known;
  const link = document.createElement("link");
  const done = /** @type {Promise<void>} */ (
    new Promise((resolve) => {
      link.addEventListener("load", () => resolve());
      link.addEventListener("error", () => resolve());
    })
  );
  link.rel = "stylesheet";
  link.href = `/app/${name}`;
  document.head.append(link);
  asked.set(name, done);
  return done;
}
