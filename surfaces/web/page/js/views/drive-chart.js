/** How the drives pressed over a day or a week, when Pulse woke, and what came of it. */

import { h, svg } from "../dom.js";
import { age, clock, dayName, ms } from "../format.js";
import { t } from "../words.js";
import { canvas, cursor, grid, heightFor, timeAxis } from "./chart-draw.js";
import { readableChart } from "./chart-frame.js";
import { linear, niceTicks, pathOf } from "./chart-math.js";
import { driveTitle, loadWords } from "./drive-bars.js";
import { worded } from "./wordings.js";
import { instantsOf, loadsAt, seriesOf, timeTicks } from "./drives-model.js";

/** @typedef {import("../types").DrivesHistory} DrivesHistory */
/** @typedef {import("../types").WakeView} WakeView */
/** @typedef {import("./drives-model.js").Series} Series */
/** @typedef {import("./drives-model.js").Instant} Instant */

/** So many drives have a colour of their own; the others are grey. */
const TONES = 5;
const WAKES_AT_ONCE = 4;
const WAKES_MAX = 50;
const WAKE_PX = 5;
const DAY_MS = 86_400_000;

/** @param {DrivesHistory} history */
export function drivesChart(history) {
  const [series, instants] = [seriesOf(history), instantsOf(history)];
  const says = [history.wakes.length > 0 && t("drives.chart-says", { count: history.wakes.length }), history.thinned && t("drives.thinned")];
  return readableChart({
    title: t("drives.chart"),
    says: says.filter(Boolean).join(" "),
    legend: legendOf(series),
    empty: series.length + history.wakes.length === 0 ? t("drives.chart-empty") : undefined,
    marks: instants.length,
    read: (index) => instantWords(history, instants[index]),
    open: (index) => openCard(instants[index].wake),
    draw: (width) => draw(width, history, series, instants),
    table: () => tableOf(history, series, instants),
  });
}

/**
 * The wakes in words, the latest first, each with the way to its card.
 * @param {WakeView[]} wakes oldest first
 */
export function wakesList(wakes) {
  const latest = wakes.slice(-WAKES_MAX).reverse();
  const [first, rest] = [latest.slice(0, WAKES_AT_ONCE), latest.slice(WAKES_AT_ONCE)];
  return [
    latest.length === 0 && h("p", { class: "facts" }, t("drives.no-wakes")),
    h("ol", { class: "wakes" }, first.map(wakeItem)),
    rest.length > 0 && h("details", null, h("summary", null, t("drives.more", { count: rest.length })), h("ol", { class: "wakes" }, rest.map(wakeItem))),
  ];
}

/**
 * What came of a wake, and the way to its card where there is one.
 * @param {WakeView} wake
 * @returns {(Node | string)[]}
 */
export function outcomeOf(wake) {
  const words = endedWords(wake);
  if (!wake.predictionId) return [words];
  return [words, " ", h("a", { href: cardHash(wake.predictionId) }, t("drives.card"), h("span", { class: "only-read" }, ` (${clock(wake.at, Date.now())})`))];
}

/**
 * Why Pulse woke, in the page's language.
 * @param {WakeView} wake
 */
export function wakeWords({ says, saysWorded }) {
  return worded(saysWorded, says);
}

/** @param {WakeView} wake */
function wakeItem(wake) {
  const now = Date.now();
  return h(
    "li",
    { class: "wake" },
    h("time", { class: "facts", datetime: wake.at, title: age(wake.at, now) }, clock(wake.at, now)),
    h("div", null, h("p", { dir: "auto" }, wakeWords(wake)), h("p", { class: "facts" }, outcomeOf(wake))),
  );
}

/** @param {WakeView} wake */
function endedWords({ ended, place, note }) {
  const words = t(`drives.ended-${ended || "open"}`, { place });
  return note ? `${words} (${note})` : words;
}

/** @param {WakeView | null} wake */
function openCard(wake) {
  if (wake?.predictionId) location.hash = cardHash(wake.predictionId);
}

/** @param {string} id */
function cardHash(id) {
  return `#card=${encodeURIComponent(id)}`;
}

/** @param {Series[]} series */
function legendOf(series) {
  const own = series.slice(0, TONES).map(({ name }, index) => ({ tone: `drive-tone-${index}`, name: driveTitle(name) }));
  return [
    ...own,
    ...(series.length > TONES ? [{ tone: "drive-tone-x", name: t("drives.others") }] : []),
    { tone: "drive-key-line", name: t("drives.threshold") },
    { tone: "drive-key-wake", name: t("drives.woke") },
  ];
}

/**
 * @param {number} widthPx
 * @param {DrivesHistory} history
 * @param {Series[]} series
 * @param {Instant[]} instants
 * @returns {import("./chart-draw.js").Drawing}
 */
function draw(widthPx, { since, until, threshold, wakes }, series, instants) {
  const [begin, end] = [ms(since), ms(until)];
  const top = Math.max(threshold, ...series.map(({ most }) => most), ...wakes.map(({ total }) => total));
  const loads = niceTicks(top, 4);
  const { node, box } = canvas(widthPx, heightFor(widthPx), loads.map(String));
  const x = linear([begin, end], [box.left, box.right]);
  const y = linear([0, loads[loads.length - 1]], [box.bottom, box.top]);
  const ticks = timeTicks(begin, end);
  const heightOf = (/** @type {WakeView} */ wake) => y(wake.total);
  node.append(
    ...grid(box, loads, y, (load) => load.toLocaleString()),
    ...timeAxis(box, ticks.map((at) => (end - begin > 1.5 * DAY_MS ? dayName(at, end) : clock(at))), (index) => x(ticks[index])),
    ...series.toReversed().flatMap(({ runs }, index) => runs.map((run) => line(run, series.length - 1 - index, x, y))),
    svg("line", { class: "drive-threshold", x1: box.left, x2: box.right, y1: y(threshold), y2: y(threshold) }),
    ...wakes.map((wake) => svg("line", { class: "drive-stem", x1: x(ms(wake.at)), x2: x(ms(wake.at)), y1: box.bottom, y2: heightOf(wake) })),
    ...wakes.map((wake) => svg("circle", { class: `drive-wake ended-${wake.ended || "open"}`, cx: x(ms(wake.at)), cy: heightOf(wake), r: WAKE_PX })),
  );
  const places = instants.map(({ atMs, wake }) => ({ x: x(atMs), y: wake ? heightOf(wake) : 0, wake }));
  const mark = cursor(node, box, (index) => places[index].x, (index) => (places[index].wake ? places[index] : null));
  return { node, box, mark, nearest: (px, py) => nearestOf(places, px, py) };
}

/**
 * @param {import("./drives-model.js").Bend[]} run
 * @param {number} place of its drive among all
 * @param {(atMs: number) => number} x
 * @param {(load: number) => number} y
 */
function line(run, place, x, y) {
  const tone = place < TONES ? `drive-tone-${place}` : "drive-tone-x";
  return svg("path", { class: `drive-line ${tone}`, d: pathOf(run.map(({ atMs, load }) => ({ x: x(atMs), y: y(load) }))) });
}

/**
 * The instant that is pointed at; a wake beside it is meant first.
 * @param {readonly {x: number, y: number, wake: WakeView | null}[]} places
 * @param {number} px
 * @param {number} py
 */
function nearestOf(places, px, py) {
  const far = places.map(({ x, y, wake }) => (wake && Math.hypot(x - px, y - py) <= 3 * WAKE_PX ? -1 : Math.abs(x - px)));
  return far.indexOf(Math.min(...far));
}

/**
 * @param {DrivesHistory} history
 * @param {Instant} instant
 */
function instantWords(history, { atMs, wake }) {
  const when = clock(atMs, ms(history.until));
  if (wake) return `${when}: ${wakeWords(wake)} ${endedWords(wake)}`;
  const loads = loadsAt(history, atMs).map(({ name, load }) => `${driveTitle(name)} ${loadWords(load)}`);
  return `${when}: ${loads.join(", ") || t("drives.quiet")}`;
}

/**
 * @param {DrivesHistory} history
 * @param {Series[]} series
 * @param {Instant[]} instants
 * @returns {import("./chart-frame.js").Table}
 */
function tableOf(history, series, instants) {
  const names = series.map(({ name }) => name);
  return {
    columns: [t("insight.when"), ...names.map(driveTitle), t("drives.woke")],
    rows: instants.map(({ atMs, wake }) => {
      const loads = new Map(loadsAt(history, atMs).map(({ name, load }) => [name, load]));
      return [clock(atMs, ms(history.until)), ...names.map((name) => loadWords(loads.get(name) ?? 0)), wake ? `${wakeWords(wake)} ${endedWords(wake)}` : ""];
    }),
  };
}
