/**
 * Builds elements. Text goes in as text and nothing is ever parsed as HTML, so what an agent wrote cannot run here.
 * The few icons are here too, drawn as strokes in the colour of the text.
 */

const SVG = "http://www.w3.org/2000/svg";
const PROPERTIES = new Set(["value", "checked", "disabled", "hidden", "open", "selected", "indeterminate", "inert"]);
const ANNOUNCE_AFTER_MS = 60;
export const LETTERS_KEPT_AS = "pulse.letters";
/** Where this browser keeps that its person hid the list of what is left to set up. */
export const SET_UP_HIDDEN_AS = "pulse.set-up-away";
/** @type {Record<string, string>} paths in a box of 24 by 24 */
const PATHS = {
  approve: "M5 12.5l4.5 4.5L19 7.5",
  reject: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  snooze: "M12 7.5V12l3 2M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z",
  details: "M12 11v5.5M12 7.6v.1M12 20.5a8.5 8.5 0 1 0 0-17 8.5 8.5 0 0 0 0 17z",
  edit: "M5 19l.8-3.6L15.9 5.3a1.8 1.8 0 0 1 2.6 0l.2.2a1.8 1.8 0 0 1 0 2.6L8.6 18.2 5 19z",
  undo: "M8.5 5L4.5 9l4 4M4.5 9H14a5 5 0 0 1 0 10h-3",
  stop: "M8.5 3.5h7l5 5v7l-5 5h-7l-5-5v-7zM9.5 9.5h5v5h-5z",
  pause: "M9 6v12M15 6v12",
  play: "M8 5.5v13l10.5-6.5z",
  retry: "M19 12a7 7 0 1 1-2.2-5.1M19 4v4h-4",
  next: "M9.5 6l6 6-6 6",
  back: "M14.5 6l-6 6 6 6",
  close: "M6.5 6.5l11 11M17.5 6.5l-11 11",
  list: "M8.5 6.5h11M8.5 12h11M8.5 17.5h11M4.5 6.5h.1M4.5 12h.1M4.5 17.5h.1",
  more: "M5.5 12h.1M12 12h.1M18.5 12h.1",
  stack: "M4 7.5a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v7a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2zM7 19.5h10",
  sessions: "M4.5 6.5h7M14.5 6.5h2M4.5 12h3M10.5 12h9M4.5 17.5h11M18.5 17.5h1",
  drives: "M4.5 16.5a7.5 7.5 0 1 1 15 0M12 16.5l4-5M12 16.4v.2",
  trends: "M4.5 19.5h15M7 16v-4M12 16V6M17 16v-7",
  inbox: "M4 13.5V17a2.5 2.5 0 0 0 2.5 2.5h11A2.5 2.5 0 0 0 20 17v-3.5M4 13.5l2.6-7.3A2 2 0 0 1 8.5 4.9h7a2 2 0 0 1 1.9 1.3L20 13.5M4 13.5h4.5l1.4 2.3h4.2l1.4-2.3H20",
  activity: "M3.5 12.5h4l2.6-7 4 13 2.6-6h3.8",
  settings: "M4.5 8h9M17.5 8h2M4.5 16h2M10.5 16h9M15.5 6v4M8.5 14v4",
  agent: "M4.5 6.5h15v11h-15zM8 10.5l2.5 2-2.5 2M12.5 14.5h3.5",
  device: "M8 3.5h8a1.5 1.5 0 0 1 1.5 1.5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5zM11 17.5h2",
  search: "M10.75 16.5a5.75 5.75 0 1 0 0-11.5 5.75 5.75 0 0 0 0 11.5zM15 15l4.5 4.5",
  copy: "M9 9h9.5v9.5H9zM15 9V5.5H5.5V15H9",
  moon: "M19.5 14.2A8 8 0 0 1 9.8 4.5a8 8 0 1 0 9.7 9.7z",
  sun: "M12 8a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM12 3v1.5M12 19.5V21M3 12h1.5M19.5 12H21M5.6 5.6l1.1 1.1M17.3 17.3l1.1 1.1M18.4 5.6l-1.1 1.1M6.7 17.3l-1.1 1.1",
  hour: "M7 4h10M7 20h10M8 4v3.5l4 4.5-4 4.5V20M16 4v3.5L12 12l4 4.5V20",
  calendar: "M5 6.5h14v13H5zM5 10.5h14M9 4v4M15 4v4",
  risk: "M12 4.5l8.5 15h-17zM12 10v4.5M12 17v.1",
  away: "M4 9.5a12 12 0 0 1 16 0M7 13a7.5 7.5 0 0 1 10 0M10 16.5a3 3 0 0 1 4 0M4.5 4.5l15 15",
};

/** @typedef {Node | string | number | null | undefined | false} Plain */
/** @typedef {Plain | Plain[]} Child one child, or several in a list */
/** @typedef {Record<string, any>} Props `class`, `dataset`, `aria`, `style`, `on`; everything else is an attribute */

/**
 * Make an element.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props | null} [props] for example `{class: "card", aria: {label: "…"}, dataset: {id}, on: {click}}`;
 *   an attribute that is false, null or undefined is left out, true writes it empty
 * @param {...Child} children strings become text; null, undefined and false are left out
 * @returns {HTMLElementTagNameMap[T]}
 */
export function h(tag, props, ...children) {
  return fill(document.createElement(tag), props, children);
}

/**
 * Make an SVG element; used like `h`.
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Props | null} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, props, ...children) {
  return fill(/** @type {any} */ (document.createElementNS(SVG, tag)), props, children);
}

/**
 * @param {string} name one of PATHS
 * @returns {SVGSVGElement} decoration only: it is hidden from screen readers
 */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", aria: { hidden: true } }, svg("path", { d: PATHS[name] }));
}

/**
 * Give a node other children.
 * @template {Element} T
 * @param {T} node
 * @param {...Child} children
 * @returns {T}
 */
export function replace(node, ...children) {
  node.replaceChildren(...nodes(children));
  return node;
}

/**
 * Say something to screen readers, without showing it.
 * @param {string} text
 * @param {boolean} [isUrgent] interrupts what is being read; for failures and lost connections
 */
export function announce(text, isUrgent = false) {
  const region = document.getElementById(isUrgent ? "say-now" : "say");
  if (!region) return;
  region.textContent = "";
  // the same words twice are spoken twice only when the region was empty in between
  setTimeout(() => (region.textContent = text), ANNOUNCE_AFTER_MS);
}

/**
 * Set an element's text, touching the document only when it changes.
 * @param {Element} node
 * @param {string} text
 */
export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/**
 * Set a text that holds paths and commands: it breaks after a separator before it breaks within a word.
 * @param {Element} node
 * @param {string} text
 */
export function setBroken(node, text) {
  if (node.textContent !== text) replace(node, ...broken(text));
}

/**
 * A text that breaks after the separators of paths. The style gives each part its place to break: a `<wbr>` would make
 * the accessible name `/ usr/ bin/ make`.
 * @param {string} text
 * @returns {Plain[]}
 */
export function broken(text) {
  return text.split(/(?<=[/\\])(?=[^\s/\\])/).map((part, place, parts) => (place < parts.length - 1 ? h("span", { class: "breaks" }, part) : part));
}

/**
 * Find the one element that must be there.
 * @param {string} selector
 * @param {ParentNode} [root]
 * @returns {HTMLElement}
 */
export function need(selector, root = document) {
  const found = root.querySelector(selector);
  if (!(found instanceof HTMLElement)) throw new Error(`the page has no ${selector}`);
  return found;
}

/** Settles once what was drawn has its size: charts are drawn for theirs. @returns {Promise<void>} */
export function drawn() {
  return new Promise((resolve) => {
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()));
  });
}

/** @returns {boolean} whether the person asked for less movement */
export function isStill() {
  return matchMedia("(prefers-reduced-motion: reduce)").matches;
}

/**
 * Whether a letter may answer a card. Where letters are switched off (who dictates to a computer presses many by
 * chance, WCAG 2.1.4), they work on a card that has the focus only.
 * @param {KeyboardEvent} event
 * @returns {boolean}
 */
export function isLetterMeant(event) {
  if (event.key.length > 1 || localStorage.getItem(LETTERS_KEPT_AS) !== "off") return true;
  return event.target instanceof Element && event.target.closest(".card") !== null;
}

/**
 * @template {Element} T
 * @param {T} node
 * @param {Props | null | undefined} props
 * @param {Child[]} children
 * @returns {T}
 */
function fill(node, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) put(node, name, value);
  node.append(...nodes(children));
  return node;
}

/**
 * @param {any} node
 * @param {string} name
 * @param {any} value
 */
function put(node, name, value) {
  if (name === "on") for (const [type, listener] of Object.entries(value)) node.addEventListener(type, listener);
  else if (name === "dataset") Object.assign(node.dataset, value);
  else if (name === "aria") for (const [key, text] of Object.entries(value)) attribute(node, `aria-${key}`, text, true);
  else if (name === "style") for (const [key, text] of Object.entries(value)) node.style.setProperty(key, String(text));
  else if (PROPERTIES.has(name) && name in node) node[name] = value ?? false;
  else attribute(node, name, value, false);
}

/**
 * @param {Element} node
 * @param {string} name
 * @param {any} value
 * @param {boolean} isAria whose booleans are written out
 */
function attribute(node, name, value, isAria) {
  if (value === null || value === undefined || (value === false && !isAria)) node.removeAttribute(name);
  else node.setAttribute(name, value === true && !isAria ? "" : String(value));
}

/**
 * @param {Child[]} children
 * @returns {(Node | string)[]}
 */
function nodes(children) {
  return children
    .flat()
    .filter((child) => child !== null && child !== undefined && child !== false)
    .map((child) => (child instanceof Node ? child : String(child)));
}
