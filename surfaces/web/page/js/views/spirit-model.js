/** The spirit's bubble: which need for help it is about, and which ones were put aside. Pure; no words, no DOM. */

const GONE_MAX = 50;
const ASKS_KEPT_MAX = 200;

/**
 * What a bubble is about: a session, and what it asks. The same again is the same; when it asks anew, it is another.
 * @param {{id: string, asks: string, movedAt: string}} session
 */
export function keyOf({ id, asks, movedAt }) {
  return `${id} ${movedAt} ${asks.slice(0, ASKS_KEPT_MAX)}`;
}

/**
 * What was put aside, with one more; the oldest are forgotten.
 * @param {readonly string[]} gone
 * @param {string} key
 * @returns {string[]}
 */
export function withGone(gone, key) {
  return [...gone.filter((one) => one !== key), key].slice(-GONE_MAX);
}

/**
 * Read what was put aside from the browser's storage; what is no list of words is none.
 * @param {string | null} text
 * @returns {string[]}
 */
export function goneFrom(text) {
  try {
    const found = JSON.parse(text ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one === "string").slice(-GONE_MAX) : [];
  } catch {
    return [];
  }
}
