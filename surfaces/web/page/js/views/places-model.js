/** Where an address of the page leads: one of three places, a part of it, and the thing that is meant there. Pure. */

/** @typedef {"inbox" | "activity" | "settings"} Place */
/** @typedef {{name: Place, part: string, id: string, card: string}} Address `card` is to be opened in front of the place */

/** @type {readonly Place[]} */
export const PLACES = ["inbox", "activity", "settings"];
/** Where the views of earlier versions have gone. @type {Readonly<Record<string, string>>} */
const MOVED = {
  mission: "#/",
  history: "#/activity",
  sessions: "#/activity/sessions",
  insight: "#/activity/trends",
  drives: "#/activity/drives",
  controls: "#/settings",
};
const STORIES = "history";

/**
 * @param {string} hash the fragment of an address
 * @returns {string} the address that has taken its place, or "" for one that is good as it is
 */
export function movedTo(hash) {
  const [first, ...rest] = partsOf(hash);
  if (!Object.hasOwn(MOVED, first)) return "";
  const thing = rest.length ? `${first === STORIES ? "/story" : ""}/${rest.join("/")}` : "";
  return MOVED[first] === "#/" ? "#/" : MOVED[first] + thing;
}

/**
 * @param {string} hash
 * @returns {Address} an address that is none of ours leads to the inbox
 */
export function addressOf(hash) {
  const card = /^#card=([\w-]+)$/.exec(hash)?.[1] ?? "";
  const [first, part = "", id = ""] = partsOf(hash);
  const name = PLACES.find((place) => place === first && hash.startsWith("#/")) ?? "inbox";
  return name === "inbox" ? { name, part: "", id: "", card } : { name, part, id: decoded(id), card };
}

/** @param {Place} name @returns {string} the address of a place */
export const hashOf = (name) => (name === "inbox" ? "#/" : `#/${name}`);

/** @param {string} hash @returns {string[]} */
const partsOf = (hash) => hash.replace(/^#\/?/, "").split("/");

/** @param {string} text @returns {string} what is no encoded text is nobody's name */
function decoded(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
