/** Draws the charts as SVG for their width, so that text never shrinks. Lengths are CSS pixels at a text size of 16 px; the whole grows with it. */

import { svg } from "../dom.js";
import { labelled, linear, niceTicks, pathOf, radiusOf, splitAtGaps } from "./chart-math.js";

/** @typedef {import("./chart-math.js").Point} Point */
/** @typedef {{left: number, right: number, top: number, bottom: number}} Box the plot, in CSS pixels */
/** @typedef {{node: SVGSVGElement, box: Box, mark: (index: number | null) => void, nearest?: (x: number, y: number) => number}} Drawing
 *   `mark` points at one mark; `nearest` finds the one that is meant where marks do not stand side by side */

const HEIGHT_PX = 190;
const HEIGHT_WIDE_PX = 230;
const WIDE_PX = 640;
const SQUARE_PX_MAX = 380;
const CHAR_PX = 7.5;
const LABEL_GAP_PX = 18;
const GUTTER_PX = 8;
const TOP_PX = 10;
const AXIS_PX = 24;
const BAR_SHARE = 0.68;
const BAR_PX_MAX = 34;
const DOT_PX = 3;
const DOTS_MAX = 60;
const RADIUS_ROOM_PX = 12;

/**
 * A share over time, 0 to 1; where nothing is known the line is dashed.
 * @param {number} widthPx
 * @param {{values: readonly (number | null)[], labels: readonly string[], share: (value: number) => string}} spec
 * @returns {Drawing}
 */
export function drawLine(widthPx, { values, labels, share }) {
  const ticks = [0, 0.5, 1];
  const { node, box } = canvas(widthPx, heightFor(widthPx), ticks.map(share));
  const x = middles(box, values.length);
  const y = linear([0, 1], [box.bottom, box.top]);
  const points = values.map((value, index) => (value === null ? null : { x: x(index), y: y(value) }));
  const { runs, bridges } = splitAtGaps(points);
  const dots = runs.flat();
  node.append(
    ...grid(box, ticks, y, share),
    ...timeAxis(box, labels, x),
    ...bridges.map((bridge) => svg("path", { class: "chart-bridge", d: pathOf(bridge) })),
    ...runs.map((run) => svg("path", { class: "chart-line", d: pathOf(run) })),
    ...(dots.length <= DOTS_MAX ? dots : []).map((at) => svg("circle", { class: "chart-dot", cx: at.x, cy: at.y, r: DOT_PX })),
  );
  return { node, box, mark: cursor(node, box, x, (index) => points[index]) };
}

/**
 * Two counts per mark on one scale: the first rises from the base line, the second hangs below it.
 * @param {number} widthPx
 * @param {{up: readonly number[], down: readonly number[], labels: readonly string[], count: (value: number) => string}} spec
 * @returns {Drawing}
 */
export function drawBars(widthPx, { up, down, labels, count }) {
  const [upMax, downMax] = [Math.max(0, ...up), Math.max(0, ...down)];
  const step = niceTicks(Math.max(upMax, downMax), 3, 1)[1];
  const ticks = [...multiples(downMax, step).map((value) => -value).reverse(), 0, ...multiples(upMax, step)];
  const words = (/** @type {number} */ value) => count(Math.abs(value));
  const { node, box } = canvas(widthPx, heightFor(widthPx), ticks.map(words));
  const x = middles(box, up.length);
  const y = linear([ticks[0], Math.max(step, ticks[ticks.length - 1])], [box.bottom, box.top]);
  const width = Math.min(BAR_PX_MAX, Math.max(1, (BAR_SHARE * (box.right - box.left)) / up.length));
  const bar = (/** @type {string} */ tone, /** @type {number} */ index, /** @type {number} */ value) =>
    svg("rect", { class: `chart-bar ${tone}`, x: x(index) - width / 2, width, rx: Math.min(3, width / 3), ...between(y(0), y(value)) });
  node.append(
    ...grid(box, ticks, y, words),
    ...timeAxis(box, labels, x),
    ...up.flatMap((value, index) => (value ? [bar("tone-a", index, value)] : [])),
    ...down.flatMap((value, index) => (value ? [bar("tone-b", index, -value)] : [])),
    svg("line", { class: "chart-base", x1: box.left, x2: box.right, y1: y(0), y2: y(0) }),
  );
  return { node, box, mark: cursor(node, box, x, () => null) };
}

/**
 * A reliability diagram (DeGroot & Fienberg 1983): said against found; on the diagonal they agree.
 * @param {number} widthPx
 * @param {{points: readonly {said: number, found: number, count: number}[], share: (value: number) => string, said: string, found: string}} spec
 *   `said` and `found` name the axes
 * @returns {Drawing}
 */
export function drawReliability(widthPx, { points, share, said, found }) {
  const ticks = [0, 0.25, 0.5, 0.75, 1];
  const side = Math.min(widthPx, SQUARE_PX_MAX);
  const { node, box } = canvas(side, side, ticks.map(share));
  box.right -= RADIUS_ROOM_PX;
  box.bottom -= LABEL_GAP_PX;
  const x = linear([0, 1], [box.left, box.right]);
  const y = linear([0, 1], [box.bottom, box.top]);
  const countMax = Math.max(0, ...points.map(({ count }) => count));
  const places = points.map((one) => ({ x: x(one.said), y: y(one.found), r: radiusOf(one.count, countMax) }));
  node.append(
    ...grid(box, ticks, y, share),
    ...ticks.map((tick) => text({ class: "chart-tick", x: x(tick), y: box.bottom + LABEL_GAP_PX, "text-anchor": "middle" }, share(tick))),
    text({ class: "chart-axis", x: (box.left + box.right) / 2, y: box.bottom + 2 * LABEL_GAP_PX, "text-anchor": "middle" }, said),
    text({ class: "chart-axis", x: box.left + 6, y: box.top + 12 }, found),
    svg("line", { class: "chart-diagonal", x1: x(0), y1: y(0), x2: x(1), y2: y(1) }),
    svg("path", { class: "chart-line", d: pathOf(places) }),
    ...places.map((at) => svg("circle", { class: "chart-bubble", cx: at.x, cy: at.y, r: at.r })),
  );
  return { node, box, mark: ring(node, places), nearest: (px, py) => nearestOf(places, px, py) };
}

/**
 * A bar whose parts are shares of the whole width; it needs no redrawing when the page gets another width.
 * @param {readonly {share: number, tone: string}[]} parts shares of 0 to 1, together at most 1
 * @returns {SVGSVGElement}
 */
export function drawShares(parts) {
  let begin = 0;
  const rects = parts.map(({ share, tone }) => {
    const rect = svg("rect", { class: `chart-bar ${tone}`, x: `${begin * 100}%`, width: `${share * 100}%`, y: 0, height: "100%" });
    begin += share;
    return rect;
  });
  return svg("svg", { class: "chart-shares", aria: { hidden: true } }, svg("rect", { class: "chart-track", width: "100%", height: "100%" }), ...rects);
}

/**
 * @param {number} width
 * @param {number} height
 * @param {string[]} tickWords the widest of them makes the room on the left
 * @returns {{node: SVGSVGElement, box: Box}}
 */
export function canvas(width, height, tickWords) {
  const left = GUTTER_PX + CHAR_PX * Math.max(...tickWords.map((words) => words.length));
  const node = svg("svg", { class: "chart-svg", style: { width: `${width / 16}rem` }, viewBox: `0 0 ${width} ${height}`, aria: { hidden: true } });
  return { node, box: { left, right: width - GUTTER_PX / 2, top: TOP_PX, bottom: height - AXIS_PX } };
}

/** @param {number} widthPx */
export function heightFor(widthPx) {
  return widthPx < WIDE_PX ? HEIGHT_PX : HEIGHT_WIDE_PX;
}

/**
 * @param {Box} box
 * @param {number} marks
 * @returns {(index: number) => number} the middle of a mark
 */
function middles(box, marks) {
  const room = (box.right - box.left) / Math.max(1, marks);
  return (index) => box.left + (index + 0.5) * room;
}

/**
 * @param {Box} box
 * @param {readonly number[]} ticks
 * @param {(value: number) => number} y
 * @param {(value: number) => string} words
 */
export function grid(box, ticks, y, words) {
  return ticks.flatMap((tick) => [
    svg("line", { class: "chart-grid", x1: box.left, x2: box.right, y1: y(tick), y2: y(tick) }),
    text({ class: "chart-tick", x: box.left - GUTTER_PX, y: y(tick) + 4, "text-anchor": "end" }, words(tick)),
  ]);
}

/**
 * @param {Box} box
 * @param {readonly string[]} labels
 * @param {(index: number) => number} x
 */
export function timeAxis(box, labels, x) {
  const room = LABEL_GAP_PX + CHAR_PX * Math.max(0, ...labels.map((label) => label.length));
  return labelled(labels.length, box.right - box.left, room).map((index) => {
    const half = (labels[index].length * CHAR_PX) / 2;
    const isLast = x(index) + half > box.right + GUTTER_PX / 2;
    const place = isLast ? { x: box.right + GUTTER_PX / 2, "text-anchor": "end" } : { x: x(index), "text-anchor": "middle" };
    return text({ class: "chart-tick", y: box.bottom + LABEL_GAP_PX, ...place }, labels[index]);
  });
}

/**
 * @param {SVGSVGElement} node
 * @param {Box} box
 * @param {(index: number) => number} x
 * @param {(index: number) => Point | null} pointAt
 */
export function cursor(node, box, x, pointAt) {
  const line = svg("line", { class: "chart-cursor", y1: box.top, y2: box.bottom, visibility: "hidden" });
  const dot = svg("circle", { class: "chart-here", r: DOT_PX + 2, visibility: "hidden" });
  node.append(line, dot);
  return (/** @type {number | null} */ index) => {
    const point = index === null ? null : pointAt(index);
    set(line, index === null ? { visibility: "hidden" } : { visibility: "visible", x1: x(index), x2: x(index) });
    set(dot, point === null ? { visibility: "hidden" } : { visibility: "visible", cx: point.x, cy: point.y });
  };
}

/**
 * @param {SVGSVGElement} node
 * @param {readonly (Point & {r: number})[]} places
 */
function ring(node, places) {
  const dot = svg("circle", { class: "chart-ring", visibility: "hidden" });
  node.append(dot);
  return (/** @type {number | null} */ index) => {
    const at = index === null ? undefined : places[index];
    set(dot, at === undefined ? { visibility: "hidden" } : { visibility: "visible", cx: at.x, cy: at.y, r: at.r + 3 });
  };
}

/**
 * @param {readonly Point[]} places one or more
 * @param {number} x
 * @param {number} y
 * @returns {number} an index
 */
function nearestOf(places, x, y) {
  const far = places.map((place) => Math.hypot(place.x - x, place.y - y));
  return far.indexOf(Math.min(...far));
}

/**
 * @param {SVGElement} node
 * @param {Record<string, string | number>} attributes
 */
function set(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, String(value));
}

/**
 * @param {number} one
 * @param {number} other
 * @returns {{y: number, height: number}} at least one pixel high, so that a count of one is seen
 */
function between(one, other) {
  return { y: Math.min(one, other), height: Math.max(1, Math.abs(one - other)) };
}

/**
 * @param {number} max
 * @param {number} step
 * @returns {number[]} the multiples of the step up to the first that reaches `max`; none for 0
 */
function multiples(max, step) {
  return Array.from({ length: Math.ceil(max / step) }, (_, index) => (index + 1) * step);
}

/**
 * @param {Record<string, any>} props
 * @param {string} words
 */
function text(props, words) {
  return svg("text", props, words);
}
