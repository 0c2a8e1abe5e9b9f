/** The timeline: cards, tasks, sessions, uses of permissions and wake-ups, newest first, to be filtered and searched. */

import { get } from "../api.js";
import { announce, h, replace } from "../dom.js";
import { calendarDay, dayOf } from "../format.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { readBeside } from "./activity-beside.js";
import { mixed, wantedOf } from "./activity-model.js";
import { otherRow, redraw } from "./activity-row.js";
import { EMPTY, NO_CARDS, PLAIN, inDays, isPlain, joined, ofSpan, pathOf, spanOf, within } from "./history-model.js";
import { exports } from "./history-export.js";
import { historyRow } from "./history-row.js";
import { historyTools } from "./history-tools.js";
import { needStyles } from "./styles.js";
import { troubleNote } from "./trouble-note.js";

/** @typedef {import("../types").Prediction} Prediction */

const AHEAD = "1200px 0px";
const CALM_MS = 400;

await needStyles("views.css", "history.css");

/** What was looked for last, and the row that was opened: going back finds both again. */
const before = { ...PLAIN, opened: "", list: /** @type {List | null} */ (null) };
addEventListener("pulse:view", (event) => {
  if (document.body.dataset.part !== "story") before.opened = ""; // from elsewhere one comes for what is new
  if (/** @type {CustomEvent} */ (event).detail.name !== "activity") Object.assign(before, PLAIN, { list: null }); // and for all of it
});

/**
 * @param {HTMLElement} root
 * @returns {() => void}
 */
export function mount(root) {
  const list = before.list ?? new List();
  before.list = list;
  root.append(
    h(
      "section",
      { class: "history" },
      h("header", { class: "view-head" }, h("h1", null, t("nav.activity")), exports()),
      list.overview,
      historyTools(before, () => void list.restart()),
      list.node,
    ),
  );
  const unwatch = state.watch((model) => list.follow(model));
  list.wake();
  return () => {
    unwatch();
    list.sleep();
  };
}

/** The list itself: it outlives its view, so that coming back from an episode finds it as it was. */
class List {
  history = EMPTY;
  turn = 0;
  busy = false;
  lastDay = "";
  fresh = h("button", { type: "button", class: "history-fresh", hidden: true, on: { click: () => void this.restart() } });
  days = h("div", { class: "history-days" });
  overview = h("div", { class: "overview" });
  /** @type {import("./activity-model.js").Other[]} what is no card and stands further down */
  others = [];
  /** @type {HTMLElement | null} that the others could not be read: one node for all pages, so that its button keeps the focus */
  trouble = null;
  foot = h("div", { class: "history-foot" });
  more = h("button", { type: "button", class: "small", hidden: true, on: { click: () => void this.load() } }, t("history.more"));
  node = h("div", { class: "history-list", on: { click: (/** @type {Event} */ event) => this.remember(event) } }, this.fresh, this.days, this.foot, this.more);
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  planned;
  /** What was known last of what stands beside the cards. */
  beside = "";
  /** @type {Map<string, Prediction>} as drawn */
  drawn = new Map();
  watcher = new IntersectionObserver(([entry]) => entry.isIntersecting && void this.load(), { rootMargin: AHEAD });

  /** The view is shown (again). */
  wake() {
    this.watcher.observe(this.more);
    const { opened } = before;
    before.opened = "";
    this.follow(state.get());
    if (!this.history.loaded) void this.begin();
    else if (!opened) void this.restart(); // what came meanwhile
    else if (!this.fresh.hidden) void this.renewed(opened);
    else this.again();
    this.toRow(opened);
  }

  /** Back from an episode with something new: the newest is read, and as much as was there, so that the row is found. @param {string} opened */
  async renewed(opened) {
    const count = this.history.rows.length;
    await this.restart();
    const { turn } = this;
    while (turn === this.turn && !this.rowOf(opened) && !this.more.hidden && this.history.rows.length < count) await this.load();
    if (turn === this.turn && this.node.isConnected) this.toRow(opened);
  }

  /** @param {string} id of a card; without its row nothing is done */
  toRow(id) {
    const row = this.rowOf(id);
    row?.scrollIntoView({ block: "center" });
    row?.focus({ preventScroll: true });
  }

  sleep() {
    this.watcher.disconnect();
    clearTimeout(this.planned);
    this.planned = undefined;
  }

  /** The first look: nothing is shown before all of it is there, so that nothing moves. */
  async begin() {
    this.node.parentElement?.classList.add("is-coming");
    await this.restart();
    this.node.parentElement?.classList.remove("is-coming");
  }

  /** Ask for what is wanted now; what is there stays until the answer comes. */
  async restart() {
    this.turn += 1;
    this.busy = false;
    this.fresh.hidden = true;
    await this.load(true);
  }

  /** @param {boolean} [isFirst] the answer takes the place of everything that is there */
  async load(isFirst = false) {
    if (this.busy || (!isFirst && this.history.nextBefore === null)) return;
    const turn = this.turn;
    this.busy = true;
    this.node.setAttribute("aria-busy", "true");
    try {
      const cards = NO_CARDS.has(before.filter) ? NO_PAGE : get(pathOf(before, isFirst ? null : this.history.nextBefore));
      const [page, beside] = await Promise.all([cards, isFirst ? readBeside(this.overview) : null]);
      if (turn !== this.turn) return;
      if (beside) this.begun(beside);
      this.take(page);
      if (beside) announce(t("history.found", { count: this.days.querySelectorAll(".past-item").length }));
    } catch (error) {
      if (turn === this.turn) this.fail(error, isFirst);
    }
    if (turn !== this.turn) return;
    this.busy = false;
    this.node.removeAttribute("aria-busy");
    this.lookAgain();
  }

  /** Clear the list for a first page. @param {Awaited<ReturnType<typeof readBeside>>} beside */
  begun({ others, trouble }) {
    this.clear();
    const span = spanOf(before.when, calendarDay(Date.now()));
    this.others = wantedOf(others, before).filter(({ createdAt }) => within(span, calendarDay(createdAt)));
    this.trouble = trouble === null ? null : troubleNote(trouble, () => void this.restart());
  }

  /** @param {import("../types").PredictionList} page */
  take(page) {
    const { history, fresh } = joined(this.history, ofSpan(page, spanOf(before.when, calendarDay(Date.now())), calendarDay));
    this.history = history;
    const isEnd = history.nextBefore === null;
    const { entries, left } = mixed(fresh, this.others, isEnd);
    this.others = left;
    this.append(entries);
    this.more.hidden = isEnd;
    if (!this.trouble) replace(this.foot, footOf(history.rows.length, isEnd, this.days.childElementCount > 0));
    else if (this.trouble !== this.foot.firstChild) replace(this.foot, this.trouble);
  }

  clear() {
    this.history = EMPTY;
    this.lastDay = "";
    this.drawn.clear();
    replace(this.days);
  }

  /** @param {readonly (Prediction | import("./activity-model.js").Other)[]} rows */
  append(rows) {
    const now = new Date();
    this.days.classList.toggle("is-long", this.lastDay !== "");
    for (const day of inDays(rows, (instant) => dayOf(instant, now), this.lastDay)) {
      const items = day.rows.map((row) => h("li", { class: "past-item" }, "kind" in row ? otherRow(row) : this.draw(row)));
      if (day.isNew) this.days.append(h("section", null, h("h2", { class: "history-day" }, day.day), h("ul", null, items)));
      else this.days.lastElementChild?.querySelector("ul")?.append(...items);
      this.lastDay = day.day;
    }
  }

  /** @param {Prediction} row */
  draw(row) {
    this.drawn.set(row.id, row);
    return historyRow(row);
  }

  /**
   * Show what has changed since; offer what is new, and leave it to the person when the list moves.
   * @param {import("../state.js").Model} model
   */
  follow({ cards, status, tasks }) {
    if (!this.history.loaded) return;
    this.followBeside(status, tasks);
    const newest = this.history.rows[0]?.createdAt ?? "";
    let count = 0;
    for (const { prediction } of Object.values(cards)) {
      const known = this.drawn.get(prediction.id);
      if (known && isOther(known, prediction)) {
        this.rowOf(prediction.id)?.replaceWith(this.draw(prediction));
        this.again();
      }
      if (!known && Date.parse(prediction.createdAt) > Date.parse(newest || "1970-01-01T00:00:00Z")) count += 1;
    }
    this.fresh.hidden = this.busy || !isPlain(before) || count === 0;
    if (!this.fresh.hidden) replace(this.fresh, t("history.fresh", { count }));
  }

  /** @param {import("../state.js").Model["status"]} status @param {import("../state.js").Model["tasks"]} tasks */
  followBeside(status, tasks) {
    const beside = JSON.stringify([status?.world, status?.costToday, tasks]);
    if (beside !== this.beside) this.again();
    this.beside = beside;
  }

  /** The sessions and tasks that are drawn and the figures above them are read again, once what changes has calmed down. */
  again() {
    this.planned ??= setTimeout(async () => {
      this.planned = undefined;
      redraw(this.days, (await readBeside(this.overview)).others);
    }, CALM_MS);
  }

  /**
   * Without its first page a list of other cards has no next one: what is shown is still what was asked for before.
   * @param {unknown} error
   * @param {boolean} isFirst
   */
  fail(error, isFirst) {
    if (isFirst) this.history = { ...this.history, nextBefore: null };
    this.more.hidden = true;
    replace(this.foot, troubleNote(error, () => void this.load(isFirst)));
  }

  /** Where the new rows did not fill the window, the watcher has to be told that it may fire again. */
  lookAgain() {
    this.watcher.unobserve(this.more);
    if (!this.more.hidden && this.node.isConnected) this.watcher.observe(this.more);
  }

  /** @param {string} id */
  rowOf(id) {
    return /** @type {HTMLElement | null} */ (this.days.querySelector(`a[data-id="${CSS.escape(id)}"]`));
  }

  /** @param {Event} event */
  remember(event) {
    const row = event.target instanceof Element ? event.target.closest("a.past") : null;
    if (row instanceof HTMLElement) before.opened = row.dataset.id ?? "";
  }
}

/**
 * @param {Prediction} known
 * @param {Prediction} now
 */
function isOther(known, now) {
  return ["status", "runState", "outcome", "snoozedUntil"].some((name) => Reflect.get(known, name) !== Reflect.get(now, name));
}

/** @type {import("../types").PredictionList} */
const NO_PAGE = { predictions: [], count: 0, nextBefore: null };

/**
 * @param {number} count
 * @param {boolean} isEnd
 * @param {boolean} isAny whether anything is shown
 */
function footOf(count, isEnd, isAny) {
  if (before.filter === "sessions" && !isAny && !before.search.trim()) return h("div", { class: "history-empty stack" }, h("p", null, t("history.no-sessions")), h("p", null, h("a", { href: "#/activity/sessions" }, t("history.how-sessions"))));
  if (count === 0 && isAny) return null;
  if (count === 0) {
    return h("div", { class: "history-empty" }, h("p", null, t(emptyKey(before))));
  }
  return isEnd && h("p", { class: "facts" }, t("history.end"));
}

/** @param {import("./history-model.js").Wanted} wanted @returns {string} what is said where nothing was found */
function emptyKey(wanted) {
  if (isPlain(wanted)) return "history.empty";
  if (isPlain({ ...wanted, when: "any" })) return `history.none-${wanted.when}`;
  return wanted.search.trim() ? "history.no-match" : "history.none-yet";
}
