/** The list of everything that happened, without the page: which address to ask, how pages join, what a row says. */

/**
 * @typedef {import("../types").Prediction} Prediction
 * @typedef {import("../types").PredictionList} PredictionList
 * @typedef {"all" | "pending" | "confirmed" | "executed" | "failed" | "rejected" | "expired" | "cancelled" | "tasks" | "sessions" | "permissions" | "wakes"} Filter
 * @typedef {"any" | "today" | "yesterday" | "week"} When
 * @typedef {{search: string, filter: Filter, when: When}} Wanted
 * @typedef {{from: string, to: string}} Span from one day to another, both included, as `2026-11-29`
 * @typedef {{rows: readonly Prediction[], nextBefore: string | null, loaded: boolean}} History
 * @typedef {"pending" | "snoozed" | "confirmed" | "running" | "answered" | "executed" | "handed-over" | "failed" | "rejected" | "ignored" | "mended" | "expired" | "passed" | "blocked" | "cancelled" | "unreported"} Fate
 */

/** Rows asked for at once. */
export const PAGE_ROWS = 100;
/** The hub takes no longer search text. */
export const SEARCH_CHARS_MAX = 200;
/** @type {readonly Filter[]} */
export const FILTERS = ["all", "pending", "executed", "failed", "rejected", "confirmed", "expired", "cancelled", "tasks", "sessions", "permissions", "wakes"];
/** @type {readonly When[]} */
export const WHENS = ["any", "today", "yesterday", "week"];
/** The days of the last week, today being one. */
const WEEK_DAYS = 7;
const DAY_MS = 86_400_000;
/** What is wanted before anything was chosen. @type {Wanted} */
export const PLAIN = { search: "", filter: "all", when: "any" };
/** What is no card is asked for elsewhere. @type {ReadonlySet<Filter>} */
export const NO_CARDS = new Set(["tasks", "sessions", "permissions", "wakes"]);
/** @type {History} */
export const EMPTY = { rows: [], nextBefore: null, loaded: false };

/** @param {Wanted} wanted @returns {boolean} whether everything is wanted */
export const isPlain = ({ search, filter, when }) => search.trim() === "" && filter === PLAIN.filter && when === PLAIN.when;

/**
 * @param {When} when
 * @param {string} today as `2026-11-29`
 * @returns {Span | null} null for any day
 */
export function spanOf(when, today) {
  const ago = (/** @type {number} */ days) => new Date(Date.parse(`${today}T00:00:00Z`) - days * DAY_MS).toISOString().slice(0, today.length);
  if (when === "any") return null;
  if (when === "yesterday") return { from: ago(1), to: ago(1) };
  return { from: when === "week" ? ago(WEEK_DAYS - 1) : today, to: today };
}

/** @param {Span | null} span @param {string} day @returns {boolean} */
export const within = (span, day) => span === null || (span.from <= day && day <= span.to);

/**
 * Leave of a page what lies within some days. Nothing older is asked for once the page has reached what lies before them.
 * @param {PredictionList} page
 * @param {Span | null} span
 * @param {(instant: string) => string} dayOf an instant's day, as `2026-11-29`
 * @returns {PredictionList}
 */
export function ofSpan(page, span, dayOf) {
  if (span === null) return page;
  const predictions = page.predictions.filter(({ createdAt }) => within(span, dayOf(createdAt)));
  const isPast = page.predictions.some(({ createdAt }) => dayOf(createdAt) < span.from);
  return { predictions, count: predictions.length, nextBefore: isPast ? null : page.nextBefore };
}

/**
 * @param {Pick<Wanted, "search" | "filter">} wanted
 * @param {string | null} before the place to go on from, or null for the newest.
 * @returns {string} the path to ask the hub for, below `/api/v1`
 */
export function pathOf({ search, filter }, before) {
  const query = new URLSearchParams({ limit: String(PAGE_ROWS) });
  const words = search.trim().slice(0, SEARCH_CHARS_MAX);
  if (words !== "") {
    query.set("search", words);
  }
  if (filter !== "all") {
    query.set("status", filter);
  }
  if (before !== null) {
    query.set("before", before);
  }
  return `/predictions?${query}`;
}

/**
 * Put a page at the end of the list. A card that is there already stays once, in its newest form:
 * cards of the same instant may come with both pages.
 * @param {History} history
 * @param {PredictionList} page
 * @returns {{history: History, fresh: readonly Prediction[]}} `fresh` are the rows to add.
 */
export function joined(history, page) {
  const known = new Set(history.rows.map((row) => row.id));
  const fresh = page.predictions.filter((row) => !known.has(row.id));
  const stuck = page.nextBefore === history.nextBefore && fresh.length === 0;
  return {
    history: { rows: [...history.rows, ...fresh], nextBefore: stuck ? null : (page.nextBefore ?? null), loaded: true },
    fresh,
  };
}

/** What an agent reports of an approved request. @type {Record<string, Fate>} */
const REPORTED = { "over.reported_done": "executed", "over.reported_failed": "failed", "over.tested": "answered" };

/**
 * Say in one word what became of a suggestion.
 * @param {Prediction} row
 * @param {number} nowMs unix milliseconds.
 * @returns {Fate}
 */
export function fateOf(row, nowMs) {
  if (row.status === "failed") return fateOfFailure(row);
  if (row.status === "executed" && row.result?.handedOver) return "handed-over";
  if (row.status === "expired" && row.statusReason === "passed") return "passed";
  if (isUnreported(row)) return "unreported";
  if (row.statusReason === "blocked") return "blocked";
  if (row.status === "confirmed") return fateOfYes(row);
  if (row.status === "pending" && row.snoozedUntil && Date.parse(row.snoozedUntil) > nowMs) return "snoozed";
  return /** @type {Fate} */ (row.status);
}

/** @param {Prediction} row @returns {Fate} what has come of a yes so far */
function fateOfYes({ runState, permission, outcomeWorded }) {
  if (runState === "active") return "running";
  return (permission && REPORTED[outcomeWorded?.code ?? ""]) || "confirmed";
}

/** @param {Prediction} row @returns {Fate} what a failure is by now */
function fateOfFailure(row) {
  if (row.mendedAt) return "mended";
  return row.settled?.verb === "ignore" ? "ignored" : "failed";
}

/**
 * @param {Prediction} row
 * @param {Fate} fate
 * @returns {string | null} when what its fate says came about, where that is neither when it was made nor its answer
 */
export function ranAt({ settled, endedAt, expiresAt, createdAt }, fate) {
  if (fate === "expired") return expiresAt;
  if (fate === "running") return settled?.at ?? createdAt;
  return ENDS_RUN.has(fate) ? (endedAt ?? null) : null;
}

/** @type {ReadonlySet<Fate>} */
const ENDS_RUN = new Set(["executed", "handed-over", "failed", "ignored", "mended"]);

/** What is said of a request whose agent ended after a yes. */
const GONE = new Set(["over.gone", "over.gone_running"]);

/** @param {Pick<Prediction, "status" | "outcomeWorded">} row @returns {boolean} whether an agent ended after a yes, before it reported */
export const isUnreported = ({ status, outcomeWorded }) => status === "cancelled" && GONE.has(outcomeWorded?.code ?? "");

/**
 * Split rows into days, in the order they come.
 * @template {{createdAt: string}} T
 * @param {readonly T[]} rows
 * @param {(instant: string) => string} dayOf the name of an instant's day.
 * @param {string} [last] the day that is shown already, or "".
 * @returns {{day: string, isNew: boolean, rows: T[]}[]}
 */
export function inDays(rows, dayOf, last = "") {
  /** @type {{day: string, isNew: boolean, rows: T[]}[]} */
  const days = [];
  for (const row of rows) {
    const day = dayOf(row.createdAt);
    if (days.length === 0 || days[days.length - 1].day !== day) {
      days.push({ day, isNew: days.length > 0 || day !== last, rows: [] });
    }
    days[days.length - 1].rows.push(row);
  }
  return days;
}
