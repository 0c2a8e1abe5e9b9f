/** A day of the world log: which day, a search, a lane for each session, the other events, and all of it in a table. */

import { get } from "../api.js";
import { isCardId } from "./activity-model.js";
import { coded } from "./coded.js";
import { dayInFull } from "./days.js";
import { announce, h, icon, replace, setText } from "../dom.js";
import { clock, span } from "../format.js";
import { t } from "../words.js";
import { zoneNote } from "../zones.js";
import { axisRow, eventsLane, laneItem, legend } from "./sessions-lanes.js";
import { busyPart, dayAfter, rowsOf } from "./sessions-model.js";
import { troubleNote } from "./trouble-note.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").WorldDayAnswer} WorldDayAnswer */
/** @typedef {import("./sessions-model.js").Row} Row */

const TYPED_MS = 300;
const EVENTS_AT_ONCE = 8;

export class DayPanel {
  constructor() {
    const id = "sessions-day";
    this.day = "";
    this.today = "";
    this.isWhole = false;
    this.turn = 0;
    /** @type {WorldDayAnswer | null} */
    this.found = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.typed = undefined;
    this.title = h("h2", { id });
    this.date = h("input", { type: "date", aria: { label: t("sessions.day") }, on: { change: () => this.date.value && void this.go(this.date.value) } });
    this.back = step("back", t("sessions.day-before"), () => void this.go(dayAfter(this.day, -1)));
    this.next = step("next", t("sessions.day-after"), () => void this.go(dayAfter(this.day, 1)));
    this.search = h("input", { type: "search", placeholder: t("sessions.search"), maxlength: 200, aria: { label: t("sessions.search") }, on: { input: () => this.#type() } });
    this.whole = h("button", { type: "button", aria: { pressed: false }, on: { click: () => this.#toggle() } }, t("sessions.whole-day"));
    this.body = h("div", { class: "day-body", aria: { busy: true } });
    const tools = h("div", { class: "day-tools row wrap" }, this.back, this.date, this.next, this.search, h("div", { class: "chips" }, this.whole));
    this.node = h("section", { class: "panel day", aria: { labelledby: id } }, this.title, tools, this.body);
  }

  /** @param {string} day @returns {Promise<void>} */
  async go(day) {
    this.day = day;
    await this.load();
    if (this.found?.day === day) announce(`${dayInFull(day)}: ${countWords(this.found)}`);
  }

  /** Read it anew, unless it is over or somebody reads in it. */
  again() {
    const isRead = this.body.contains(document.activeElement) || this.body.querySelector("details[open]") !== null;
    if (this.day === this.today && !isRead) void this.load();
  }

  end() {
    this.turn += 1;
    clearTimeout(this.typed);
  }

  async load() {
    const turn = ++this.turn;
    this.body.setAttribute("aria-busy", "true");
    const query = new URLSearchParams({ ...(this.day ? { day: this.day } : {}), search: this.search.value.trim() });
    try {
      const found = await get(`/world/day?${query}`);
      if (turn !== this.turn) return;
      this.today ||= found.day;
      this.day = found.day;
      this.found = found;
      this.draw();
    } catch (error) {
      if (turn !== this.turn) return;
      replace(this.body, troubleNote(error, () => void this.load()));
    }
    this.body.removeAttribute("aria-busy");
  }

  draw() {
    const { found } = this;
    if (!found) return;
    setText(this.title, t("sessions.day-of", { day: dayInFull(found.day) }));
    this.date.value = found.day;
    this.date.max = this.today;
    this.next.disabled = found.day >= this.today;
    replace(this.body, ...partsOf(found, this.isWhole ? { begin: Date.parse(found.since), end: Date.parse(found.until) } : busyPart(found), this.search.value.trim()));
  }

  #toggle() {
    this.isWhole = !this.isWhole;
    this.whole.setAttribute("aria-pressed", String(this.isWhole));
    this.draw();
  }

  #type() {
    clearTimeout(this.typed);
    this.typed = setTimeout(async () => {
      await this.load();
      if (this.found) announce(countWords(this.found));
    }, TYPED_MS);
  }
}

/**
 * @param {WorldDayAnswer} day
 * @param {import("./sessions-model.js").Stretch} stretch
 * @param {string} search
 * @returns {(Node | false)[]}
 */
function partsOf(day, stretch, search) {
  const isEmpty = day.lanes.length + day.events.length === 0;
  const notes = notesOf(day).map((note) => h("p", { class: "note warn" }, coded(note)));
  if (isEmpty) return [h("p", { class: "chart-empty" }, t(search ? "sessions.none-found" : "sessions.none", { search })), ...notes];
  return [
    h("p", { class: "facts" }, [countWords(day), zoneNote()].filter(Boolean).join(" · ")),
    ...notes,
    legend(),
    h("div", { class: "day-lanes" }, axisRow(stretch), h("ol", null, day.lanes.map((lane) => laneItem(lane, stretch, day)), day.events.length > 0 && eventsLane(day, stretch))),
    day.events.length > 0 && eventsOf(day),
    tableOf(day),
  ];
}

/** @param {WorldDayAnswer} day @returns {string[]} */
function notesOf({ cutAt, more, unparsed, unknown, undated }) {
  return [
    cutAt && t("sessions.cut", { time: clock(cutAt) }),
    more > 0 && t("sessions.left-out", { count: more }),
    unparsed > 0 && t("sessions.unparsed", { count: unparsed }),
    unknown > 0 && t("sessions.unknown", { count: unknown }),
    undated > 0 && t("sessions.undated", { count: undated }),
  ].filter((one) => typeof one === "string");
}

/** @param {WorldDayAnswer} day */
function eventsOf({ events }) {
  const item = (/** @type {import("../types").WorldFact} */ one) => h("li", { class: "day-event" }, h("time", { class: "facts", datetime: one.at }, timeWords(one)), h("span", null, h("span", { class: "badge" }, sourceName(one.source)), " ", aboutOf(one.identifier), " ", h("bdi", null, worded(one.textWorded, one.text))));
  const latest = events.toReversed();
  const rest = latest.slice(EVENTS_AT_ONCE);
  return h("section", { class: "day-events", aria: { label: t("sessions.events") } }, h("h3", null, t("sessions.events")), h("ol", null, latest.slice(0, EVENTS_AT_ONCE).map(item)), rest.length > 0 && h("details", null, h("summary", null, t("sessions.more-events", { count: rest.length })), h("ol", null, rest.map(item))));
}

/** @param {WorldDayAnswer} day */
function tableOf(day) {
  const columns = ["when", "who", "what", "said"].map((name) => t(`sessions.table-${name}`));
  const details = h("details", { class: "chart-table" }, h("summary", null, t("sessions.table")));
  details.addEventListener("toggle", () => details.open && details.childElementCount === 1 && details.append(
    h("div", { class: "chart-scroll day-table", tabindex: 0, role: "group", aria: { label: t("sessions.table") } }, h("table", null, h("thead", null, h("tr", null, columns.map((name) => h("th", { scope: "col" }, name)))), h("tbody", null, rowsOf(day, worded).map(tableRow)))),
  ));
  return details;
}

/** A card is led to, and named by what was done to it. @param {string} identifier */
function aboutOf(identifier) {
  if (!isCardId(identifier)) return h("bdi", { class: "day-about" }, identifier);
  return h("a", { href: `#/activity/story/${encodeURIComponent(identifier)}` }, t("sessions.card"));
}

/** @param {string} source who wrote it */
const sourceName = (source) => (source === "user" ? t("sessions.you") : source);

/** @param {Row} row */
function tableRow({ at, until, session, kind, what, said }) {
  const lasted = Date.parse(until) - Date.parse(at);
  const when = kind === "fact" || lasted === 0 ? clock(at) : `${clock(at)} – ${clock(until)}`;
  const words = { span: () => t(`sessions.is-${what}`), pause: () => t(`sessions.pause-${what}`, { span: span(lasted) }), refused: () => t("sessions.not-taken", { status: what }), forged: () => t("sessions.forged", { what }), fact: () => sourceName(what) };
  return h("tr", null, h("th", { scope: "row" }, when), h("td", { dir: "auto" }, isCardId(session) ? aboutOf(session) : session), h("td", null, words[kind]()), h("td", { dir: "auto" }, said));
}

/** @param {import("../types").WorldFact} fact */
const timeWords = ({ at, about }) => (about ? t("sessions.about", { time: clock(at) }) : clock(at));

/** @param {WorldDayAnswer} day */
function countWords({ lanes, events }) {
  return [t("sessions.count", { count: lanes.length }), t("sessions.event-count", { count: events.length })].join(" · ");
}

/** @param {string} name @param {string} label @param {() => void} click */
function step(name, label, click) {
  return h("button", { type: "button", class: "round", title: label, aria: { label }, on: { click } }, icon(name));
}
