/** What the view of the sessions computes: which group each is in, and where a day's spans lie. Pure; no words, no DOM. */

/** @typedef {import("../types").WorldSessionView} WorldSessionView */
/** @typedef {import("../types").WorldDayAnswer} WorldDayAnswer */
/** @typedef {import("../types").WorldLane} WorldLane */
/** @typedef {import("../types").WorldSpan} WorldSpan */
/** @typedef {import("../types").WorldFact} WorldFact */
/** @typedef {import("../types").AgentStatus} AgentStatus */
/** @typedef {"failed" | "pending" | "active" | "left" | "handed-over" | "verified"} Group */
/** @typedef {{begin: number, end: number}} Stretch of time, in ms */
/** @typedef {{at: string, until: string, session: string, kind: "span" | "pause" | "fact" | "refused" | "forged", what: string, said: string}} Row */

const HOUR_MS = 3_600_000;
const OVER_MAX = 10;
const TICKS_MAX = 6;
const STEPS_MS = [0.25, 0.5, 1, 2, 3, 4, 6].map((hours) => hours * HOUR_MS);
/** The order in which they are shown: what needs somebody comes first. @type {Group[]} */
export const GROUPS = ["failed", "pending", "active", "left", "handed-over", "verified"];
/** @type {Record<string, Group>} */
const GROUP_OF = { start: "active", active: "active", retry: "active", finish: "pending", failed: "failed", verified: "verified" };

/**
 * Which group a session is in: what failed needs somebody, but where it was left as it is, or a card of its own asks;
 * what says that it is done waits to be checked, but where it was only handed over.
 * @param {Pick<WorldSessionView, "status" | "left">} session
 * @returns {Group}
 */
export function groupOf({ status, left }) {
  if (left && status === "failed") return "left";
  return left && status === "finish" ? "handed-over" : (GROUP_OF[status] ?? "active");
}

/**
 * The sessions by group, those heard of last first; of those that are over the latest.
 * @param {readonly WorldSessionView[]} sessions
 * @returns {Record<Group, WorldSessionView[]>}
 */
export function grouped(sessions) {
  const latest = sessions.toSorted((one, other) => Date.parse(other.heardAt) - Date.parse(one.heardAt));
  const of = (/** @type {Group} */ group) => latest.filter((session) => groupOf(session) === group);
  const over = (/** @type {Group} */ group) => of(group).slice(0, OVER_MAX);
  return { failed: of("failed"), pending: of("pending"), active: of("active"), left: over("left"), "handed-over": over("handed-over"), verified: over("verified") };
}

/**
 * How a span looks: a shape beside a colour, so that nobody needs the colour.
 * @param {AgentStatus | null} status
 * @returns {"work" | "again" | "check" | "stuck" | "done" | "before"}
 */
export function lookOf(status) {
  if (status === null) return "before";
  return /** @type {const} */ ({ start: "work", active: "work", retry: "again", finish: "check", failed: "stuck", verified: "done" })[status];
}

/**
 * The part of a day in which something happened, in whole hours; the whole day where nothing did.
 * @param {Pick<WorldDayAnswer, "since" | "until" | "lanes" | "events">} day
 * @returns {Stretch}
 */
export function busyPart({ since, until, lanes, events }) {
  const [first, last] = [Date.parse(since), Date.parse(until)];
  const times = [...lanes.flatMap(({ spans, events: own }) => [...spans.flatMap(({ begin, end }) => [begin, end]), ...own.map(({ at }) => at)]), ...events.map(({ at }) => at)].map(Date.parse);
  if (times.length === 0) return { begin: first, end: last };
  const [low, high] = [Math.min(...times), Math.max(...times)];
  const begin = first + Math.floor((low - first) / HOUR_MS) * HOUR_MS;
  const end = first + Math.ceil((high - first + 1) / HOUR_MS) * HOUR_MS;
  return { begin: Math.max(first, begin), end: Math.min(last, Math.max(end, begin + HOUR_MS)) };
}

/**
 * Where a moment lies, as a share of a stretch: 0 to 1.
 * @param {Stretch} stretch
 * @param {string | number} at
 */
export function placeOf({ begin, end }, at) {
  const atMs = typeof at === "number" ? at : Date.parse(at);
  return Math.min(1, Math.max(0, (atMs - begin) / Math.max(1, end - begin)));
}

/**
 * Where the axis has its times: at most a few, evenly, on whole steps from the stretch's begin.
 * @param {Stretch} stretch
 * @returns {number[]} ms, rising
 */
export function axisOf({ begin, end }) {
  const step = STEPS_MS.find((one) => (end - begin) / one <= TICKS_MAX) ?? STEPS_MS[STEPS_MS.length - 1];
  return Array.from({ length: Math.floor((end - begin) / step) + 1 }, (_, index) => begin + index * step);
}

/** @typedef {(wording: import("../types").Phrasing | null | undefined, text: string) => string} Say a sentence of the hub's in the page's language */

/**
 * All of a day in rows, in the order in which it happened.
 * @param {Pick<WorldDayAnswer, "lanes" | "events">} day
 * @param {Say} say
 * @returns {Row[]}
 */
export function rowsOf({ lanes, events }, say) {
  const rows = [...lanes.flatMap((lane) => rowsOfLane(lane, say)), ...events.map((one) => factRow(one, "", say))];
  return rows.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

/** @param {WorldLane} lane @param {Say} say @returns {Row[]} */
function rowsOfLane({ session, spans, pauses, events }, say) {
  return [
    ...spans.map((span) => ({ at: span.begin, until: span.end, session, kind: /** @type {const} */ ("span"), what: span.status ?? "before", said: say(span.saidWorded, span.said) })),
    ...pauses.map((pause) => ({ at: pause.begin, until: pause.end, session, kind: /** @type {const} */ ("pause"), what: pause.kind, said: "" })),
    ...events.map((one) => factRow(one, session, say)),
  ];
}

/** @param {WorldFact} fact @param {string} session @param {Say} say @returns {Row} */
function factRow({ at, source, identifier, text, refused, forged, textWorded }, session, say) {
  if (forged) return { at, until: at, session: session || identifier, kind: "forged", what: refused ?? source, said: text };
  if (refused) return { at, until: at, session, kind: "refused", what: refused, said: text };
  return { at, until: at, session: session || identifier, kind: "fact", what: source, said: say(textWorded, text) };
}

/**
 * Another day: `2026-01-09` and -1 give `2026-01-08`.
 * @param {string} day
 * @param {number} by days
 */
export function dayAfter(day, by) {
  const at = new Date(`${day}T12:00:00Z`);
  at.setUTCDate(at.getUTCDate() + by);
  return at.toISOString().slice(0, 10);
}

/**
 * Three lines by which any program is followed, for a shell.
 * @param {string} path of the log
 */
export function firstLines(path) {
  const quoted = `'${path.replaceAll("'", `'"'"'`)}'`;
  const said = ["[agent:start][abc123] Book a flight | need: confirmation number", "[agent:active][abc123] comparing prices", "[agent:finish][abc123] Booked, confirmation number XYZ789"];
  return said.map((line) => `echo '${line}' >> ${quoted}`);
}
