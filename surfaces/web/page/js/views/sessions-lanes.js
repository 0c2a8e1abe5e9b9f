/** Draws the lanes of a day: a shape for each status beside its colour, so that nobody has to tell colours apart. */

import { h, svg } from "../dom.js";
import { clock, span } from "../format.js";
import { agentTitle, t } from "../words.js";
import { isCardId } from "./activity-model.js";
import { axisOf, groupOf, lookOf, placeOf } from "./sessions-model.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").WorldLane} WorldLane */
/** @typedef {import("../types").WorldDayAnswer} WorldDayAnswer */
/** @typedef {import("./sessions-model.js").Stretch} Stretch */

const HIGH_PX = 28;
const SHARE_MIN = 0.004;
/** Where a shape begins and how high it is, of HIGH_PX. @type {Record<string, {y: number, height: number}>} */
const SHAPES = { work: { y: 6, height: 16 }, again: { y: 6, height: 16 }, check: { y: 10, height: 8 }, stuck: { y: 12, height: 4 }, before: { y: 6, height: 16 } };
const LOOKS = ["work", "again", "check", "stuck", "silent", "done", "event"];
let made = 0;

/** What the shapes mean. */
export function legend() {
  return h("ul", { class: "day-legend", aria: { hidden: true } }, LOOKS.map((look) => h("li", null, sample(look), t(`sessions.look-${look}`))));
}

/**
 * The times above all lanes.
 * @param {Stretch} stretch
 */
export function axisRow(stretch) {
  const times = axisOf(stretch);
  const at = (/** @type {number} */ time) => `${placeOf(stretch, time) * 100}%`;
  return h("div", { class: "day-axis", aria: { hidden: true } }, times.map((time) => h("span", { style: { "inset-inline-start": at(time) } }, clock(time))));
}

/**
 * @param {WorldLane} lane
 * @param {Stretch} stretch what is shown of the day
 * @param {WorldDayAnswer} day
 */
export function laneItem(lane, stretch, day) {
  const group = groupOf(lane);
  const status = t(`sessions.is-${group === "left" || group === "handed-over" ? group : lane.status}`);
  return h(
    "li",
    { class: "lane", dataset: { session: lane.session } },
    h("p", { class: "lane-head" }, h("bdi", { class: "lane-task" }, worded(lane.taskWorded, lane.task) || lane.session)),
    drawLane(lane, stretch, day),
    h("p", { class: "facts lane-says" }, [status, ...factsOf(lane)].join(" · "), lane.task && !isCardId(lane.session) && [" · ", h("span", { class: "mono session-id" }, lane.session)]),
  );
}

/**
 * What belongs to no session, as ticks.
 * @param {WorldDayAnswer} day
 * @param {Stretch} stretch
 */
export function eventsLane({ events, now }, stretch) {
  const says = t("sessions.event-count", { count: events.length });
  return h("li", { class: "lane" }, h("p", { class: "lane-head" }, h("span", { class: "lane-task" }, t("sessions.events"))), canvas(stretch, now, events.map((one) => tick(one, stretch))), h("p", { class: "facts lane-says" }, says));
}

/** What the lane says, in words. @param {WorldLane} lane @returns {string[]} */
function factsOf(lane) {
  const lasted = (/** @type {string} */ key, /** @type {number} */ seconds) => seconds > 0 && t(`sessions.${key}`, { span: span(seconds * 1_000) });
  return [
    lane.spans.length > 0 && t("sessions.from-to", { from: clock(lane.spans[0].begin), to: clock(lane.spans[lane.spans.length - 1].end) }),
    lasted("worked", lane.workedS),
    lasted("waited", lane.waitedS),
    lasted("checked", lane.checkedS),
    lasted("silent", lane.silentS),
    lane.tries > 1 && t("sessions.tries", { count: lane.tries }),
    lane.checkedBy && t(`sessions.by-${lane.checkedBy}`),
    lane.agent && agentTitle(lane.agent),
    lane.more > 0 && t("sessions.left-out", { count: lane.more }),
  ].filter((one) => typeof one === "string").filter(Boolean);
}

/** @param {WorldLane} lane @param {Stretch} stretch @param {WorldDayAnswer} day */
function drawLane({ spans, pauses, events }, stretch, { now }) {
  const at = (/** @type {string} */ time) => `${placeOf(stretch, time) * 100}%`;
  const wide = (/** @type {string} */ begin, /** @type {string} */ end) => `${Math.max(SHARE_MIN, placeOf(stretch, end) - placeOf(stretch, begin)) * 100}%`;
  const hatch = `hatch-${++made}`;
  return canvas(stretch, now, [
    hatched(hatch),
    ...spans.filter(({ status }) => status !== "verified").flatMap((one) => shape(lookOf(one.status), at(one.begin), wide(one.begin, one.end), hatch, titleOf(t(`sessions.is-${one.status ?? "before"}`), one.begin, one.end, worded(one.saidWorded, one.said)))),
    ...pauses.filter(({ kind }) => kind === "silence").map((one) => svg("rect", { class: "look-silent", x: at(one.begin), width: wide(one.begin, one.end), y: 12, height: 4 }, svg("title", null, titleOf(t("sessions.pause-silence", { span: span(Date.parse(one.end) - Date.parse(one.begin)) }), one.begin, one.end, "")))),
    ...events.map((one) => tick(one, stretch)),
    ...spans.filter(({ status }) => status === "verified").map((one) => doneMark(at(one.begin), titleOf(t("sessions.is-verified"), one.begin, one.end, worded(one.saidWorded, one.said)))),
  ]);
}

/** @param {Stretch} stretch @param {string} now @param {SVGElement[]} marks */
function canvas(stretch, now, marks) {
  const upright = (/** @type {string} */ name, /** @type {string | number} */ time) => svg("line", { class: name, x1: `${placeOf(stretch, time) * 100}%`, x2: `${placeOf(stretch, time) * 100}%`, y1: 0, y2: HIGH_PX });
  const isNow = Date.parse(now) > stretch.begin && Date.parse(now) < stretch.end;
  const base = svg("line", { class: "lane-base", x1: 0, x2: "100%", y1: HIGH_PX / 2, y2: HIGH_PX / 2 });
  return svg("svg", { class: "lane-svg", height: HIGH_PX, aria: { hidden: true } }, axisOf(stretch).map((time) => upright("chart-grid", time)), base, marks, isNow && upright("lane-now", now));
}

/** @param {import("../types").WorldFact} fact @param {Stretch} stretch */
function tick({ at, source, text, textWorded, refused, forged }, stretch) {
  const x = `${placeOf(stretch, at) * 100}%`;
  const words = `${clock(at)} ${forged ? t("sessions.forged", { what: refused ?? source }) : refused ? t("sessions.not-taken", { status: refused }) : source === "user" ? t("sessions.you") : source} ${worded(textWorded, text)}`;
  return svg("line", { class: refused || forged ? "look-event refused" : "look-event", x1: x, x2: x, y1: 1, y2: 8 }, svg("title", null, words));
}

/**
 * @param {string} look
 * @param {string} x
 * @param {string} width
 * @param {string} hatch id of the pattern for what is tried again
 * @param {string} title
 */
function shape(look, x, width, hatch, title) {
  const place = { x, width, ...SHAPES[look] };
  const parts = [svg("rect", { class: `look-${look}`, rx: 2, ...place }, svg("title", null, title))];
  if (look === "again") parts.push(svg("rect", { fill: `url(#${hatch})`, ...place, class: "look-hatch" }));
  if (look === "stuck") parts.push(svg("rect", { class: "look-stuck", x, width: 3, y: 6, height: 16 }));
  return parts;
}

/** @param {string} x @param {string} title */
function doneMark(x, title) {
  return svg("svg", { x, y: HIGH_PX / 2, class: "look-done", overflow: "visible" }, svg("title", null, title), svg("circle", { r: 9 }), svg("path", { d: "M-4.5 0l3 3.5 6-7" }));
}

/** @param {string} id */
function hatched(id) {
  return svg("defs", null, svg("pattern", { id, width: 6, height: 6, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, svg("rect", { class: "look-hatch-line", width: 2, height: 6 })));
}

/** @param {string} look */
function sample(look) {
  const hatch = `hatch-${++made}`;
  const box = { class: "day-key", width: 26, height: HIGH_PX, aria: { hidden: true } };
  if (look === "done") return svg("svg", box, doneMark("13", ""));
  if (look === "event") return svg("svg", box, svg("line", { class: "look-event", x1: 13, x2: 13, y1: 10, y2: 18 }));
  if (look === "silent") return svg("svg", box, svg("rect", { class: "look-work", x: 0, width: 26, rx: 2, ...SHAPES.work }), svg("rect", { class: "look-silent", x: 5, width: 16, y: 12, height: 4 }));
  return svg("svg", box, hatched(hatch), ...shape(look, "0", "26", hatch, ""));
}

/** @param {string} what @param {string} begin @param {string} end @param {string} said */
function titleOf(what, begin, end, said) {
  const when = begin === end ? clock(begin) : `${clock(begin)} – ${clock(end)}, ${span(Date.parse(end) - Date.parse(begin))}`;
  return [`${what}, ${when}`, said].filter(Boolean).join(": ");
}
