/** What every chart has around it: its name, what it says in a sentence, a read-out by pointer and keys, and its table. */

import { h, replace, setText } from "../dom.js";
import { t } from "../words.js";
import { markAt } from "./chart-math.js";

/** @typedef {import("./chart-draw.js").Drawing} Drawing */
/** @typedef {{columns: string[], rows: string[][]}} Table the first column names its row */
/**
 * @typedef {object} Spec
 * @property {string} title
 * @property {string} [says] the whole chart in a sentence
 * @property {{tone: string, name: string}[]} [legend]
 * @property {string} [empty] said in place of the chart when there is nothing to draw yet
 * @property {() => Table} table
 */
/**
 * @typedef {object} Readable
 * @property {number} marks how many there are to point at
 * @property {(index: number) => string} read what one of them says
 * @property {(widthPx: number) => Drawing} draw
 * @property {(index: number) => void} [open] go to what a mark is about, by Enter or a click
 */

const WIDTH_PX_MIN = 200;
const TEXT_PX = 16;

/**
 * A chart that is drawn for its width, and read mark by mark: by pointer, or by arrow keys as a slider is.
 * @param {Spec & Readable} spec
 * @returns {HTMLElement}
 */
export function readableChart(spec) {
  return frame(spec, spec.empty ? [] : plotOf(spec));
}

/**
 * A chart whose values stand beside its bars, so that nothing needs reading out.
 * @param {Spec} spec
 * @param {HTMLElement} body
 * @returns {HTMLElement}
 */
export function plainChart(spec, body) {
  return frame(spec, spec.empty ? [] : [body]);
}

/**
 * @param {Spec} spec
 * @param {HTMLElement[]} body
 */
function frame(spec, body) {
  return h(
    "figure",
    { class: "chart", aria: { label: spec.title } },
    h("figcaption", null, h("h2", null, spec.title), !spec.empty && spec.says && h("p", { class: "chart-says" }, spec.says)),
    !spec.empty && spec.legend && h("ul", { class: "chart-legend" }, spec.legend.map(legendItem)),
    spec.empty ? h("p", { class: "chart-empty" }, spec.empty) : body,
    !spec.empty && tableOf(spec),
  );
}

/** @param {{tone: string, name: string}} item */
function legendItem({ tone, name }) {
  return h("li", null, h("span", { class: `chart-key ${tone}`, aria: { hidden: true } }), name);
}

/**
 * @param {Spec & Readable} spec
 * @returns {HTMLElement[]}
 */
function plotOf(spec) {
  const last = spec.marks - 1;
  const said = h("p", { class: "chart-read", aria: { hidden: true } }, spec.read(last));
  const plot = h("div", {
    class: "chart-plot",
    tabindex: 0,
    role: "slider",
    aria: { label: t("insight.read", { title: spec.title }), valuemin: 0, valuemax: last, valuenow: last, valuetext: spec.read(last) },
  });
  /** @type {Drawing | null} */
  let drawing = null;
  let at = last;
  let isPointing = false;
  let scale = 1;
  const show = () => drawing?.mark(isPointing ? at : null);
  const go = (/** @type {number} */ index) => {
    at = Math.min(last, Math.max(0, index));
    isPointing = true;
    plot.setAttribute("aria-valuenow", String(at));
    plot.setAttribute("aria-valuetext", spec.read(at));
    setText(said, spec.read(at));
    show();
  };
  const leave = () => {
    isPointing = document.activeElement === plot;
    show();
  };
  onWidth(plot, (width) => {
    scale = textScale();
    drawing = spec.draw(Math.max(WIDTH_PX_MIN, Math.floor(width / scale)));
    replace(plot, drawing.node);
    show();
  });
  plot.addEventListener("keydown", (event) => {
    if (event.key === "Enter") spec.open?.(at);
    const next = keyStep(event.key, at, last);
    if (next === null) return;
    event.preventDefault();
    go(next);
  });
  const point = (/** @type {PointerEvent} */ event) => drawing && go(markUnder(event, drawing, spec.marks, scale));
  plot.addEventListener("pointermove", point);
  plot.addEventListener("pointerdown", point);
  plot.addEventListener("pointerleave", leave);
  plot.addEventListener("click", (event) => /** @type {PointerEvent} */ (event).pointerType === "mouse" && spec.open?.(at)); // a finger reads first
  plot.addEventListener("focus", () => go(at));
  plot.addEventListener("blur", leave);
  return [plot, said];
}

/**
 * @param {PointerEvent} event
 * @param {Drawing} drawing
 * @param {number} marks
 * @param {number} scale
 */
function markUnder(event, { node, box, nearest }, marks, scale) {
  const edge = node.getBoundingClientRect();
  const [x, y] = [(event.clientX - edge.left) / scale, (event.clientY - edge.top) / scale];
  return nearest ? nearest(x, y) : markAt(x - box.left, box.right - box.left, marks);
}

/** @returns {number} how much larger the page's text is than 16 px; a drawing grows with it */
function textScale() {
  return Number.parseFloat(getComputedStyle(document.documentElement).fontSize) / TEXT_PX;
}

/**
 * The keys of a slider (ARIA Authoring Practices).
 * @param {string} key
 * @param {number} at
 * @param {number} last
 * @returns {number | null} the next mark, or null for a key that is not ours
 */
export function keyStep(key, at, last) {
  const page = Math.max(1, Math.round(last / 10));
  /** @type {Record<string, number>} */
  const steps = { ArrowLeft: at - 1, ArrowDown: at - 1, ArrowRight: at + 1, ArrowUp: at + 1, PageDown: at - page, PageUp: at + page, Home: 0, End: last };
  return key in steps ? Math.min(last, Math.max(0, steps[key])) : null;
}

/**
 * Call back with an element's width now and whenever it changes, until the element is gone.
 * @param {Element} node
 * @param {(widthPx: number) => void} then
 */
function onWidth(node, then) {
  let before = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.floor(entry.contentRect.width);
    if (width === before || width === 0) return;
    before = width;
    then(width);
  }).observe(node);
}

/**
 * The numbers as a table, made when it is first opened: a year has many rows.
 * @param {Spec} spec
 */
function tableOf(spec) {
  const details = h("details", { class: "chart-table" }, h("summary", null, t("insight.table")));
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(scroller(spec)));
  return details;
}

/** @param {Spec} spec */
function scroller({ title, table }) {
  const { columns, rows } = table();
  const head = h("thead", null, h("tr", null, columns.map((name) => h("th", { scope: "col" }, name))));
  const body = h("tbody", null, rows.map(([name, ...cells]) => h("tr", null, h("th", { scope: "row" }, name), cells.map((cell) => h("td", null, cell)))));
  return h("div", { class: "chart-scroll", tabindex: 0, role: "group", aria: { label: title } }, h("table", null, head, body));
}
