/** What stands in the timeline beside the cards: sessions, wake-ups, tasks, stops, permissions and what they let through, each in its place. Pure. */

/**
 * @typedef {import("../types").Prediction} Prediction
 * @typedef {import("../types").WorldSessionView} WorldSessionView
 * @typedef {import("../types").WakeView} WakeView
 * @typedef {import("../types").GrantRecordLine} GrantRecordLine
 * @typedef {import("../types").TaskView} TaskView
 * @typedef {{kind: "task", createdAt: string, task: TaskView} | {kind: "session", createdAt: string, session: WorldSessionView} | {kind: "wake", createdAt: string, wake: WakeView} | {kind: "permission", createdAt: string, line: GrantRecordLine} | {kind: "stop", createdAt: string, line: GrantRecordLine}} Other
 */

/**
 * @param {readonly WorldSessionView[]} sessions
 * @param {readonly WakeView[]} wakes
 * @param {readonly GrantRecordLine[]} lines the record of permissions
 * @param {readonly TaskView[]} tasks
 * @returns {Other[]} the latest first
 */
export function othersOf(sessions, wakes, lines, tasks) {
  /** @type {Other[]} */
  const others = [
    ...sessions.map((session) => ({ kind: /** @type {const} */ ("session"), createdAt: session.heardAt, session })),
    ...wakes.map((wake) => ({ kind: /** @type {const} */ ("wake"), createdAt: wake.at, wake })),
    ...tasks.map((task) => ({ kind: /** @type {const} */ ("task"), createdAt: task.createdAt, task })),
    ...toldOnce(lines).map((line) => (STOPS.has(line.what) ? { kind: /** @type {const} */ ("stop"), createdAt: line.at, line } : { kind: /** @type {const} */ ("permission"), createdAt: line.at, line })),
  ];
  return others.sort(byNewest);
}

/** What the record tells of Pulse as a whole. @type {ReadonlySet<string>} */
const STOPS = new Set(["stopped", "started"]);

/** One request may take several permissions, and the record has a line for each. @param {readonly GrantRecordLine[]} lines */
function toldOnce(lines) {
  return [...new Map(lines.map((line) => [JSON.stringify([line.at, line.what, line.by, line.text]), line])).values()];
}

/**
 * Those that a filter and a search leave. What a card came of is told by the card.
 * @param {readonly Other[]} others
 * @param {{search: string, filter: string}} wanted
 * @returns {Other[]}
 */
export function wantedOf(others, { search, filter }) {
  const words = search.toLocaleLowerCase().split(/\s+/).filter(Boolean);
  return others.filter((one) => {
    if (filter !== "all" && filter !== `${one.kind}s`) return false;
    if (filter === "all" && isOfCard(one)) return false;
    const text = textOf(one).toLocaleLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/**
 * Put what happened beside the cards among a page of them; what is older than the page waits for the next.
 * @param {readonly Prediction[]} rows a page, the newest first
 * @param {readonly Other[]} others the newest first
 * @param {boolean} isEnd whether there are no older cards
 * @returns {{entries: (Prediction | Other)[], left: Other[]}}
 */
export function mixed(rows, others, isEnd) {
  const last = rows[rows.length - 1];
  const from = isEnd ? -Infinity : last ? Date.parse(last.createdAt) : Infinity;
  const fits = (/** @type {Other} */ { createdAt }) => Date.parse(createdAt) >= from;
  const told = new Set(rows.filter(({ permission }) => permission).map(({ createdAt }) => Date.parse(createdAt)));
  const isTold = (/** @type {Other} */ one) => one.kind === "permission" && one.line.what === "used" && told.has(Date.parse(one.createdAt)); // by the card of the request, made at that moment
  return { entries: [...rows, ...others.filter((one) => fits(one) && !isTold(one))].sort(byNewest), left: others.filter((one) => !fits(one)) };
}

/** So begin the ids of cards, and no other session is called so: such a session is the card's own run. */
const CARD_PREFIX = "pred_";

/** @param {string} id of a session, or what an event is about @returns {boolean} whether it is a card's */
export const isCardId = (id) => id.startsWith(CARD_PREFIX);

/** A session says what it is for; its id is a name only where it says nothing. @param {WorldSessionView} session */
export const nameOf = ({ id, task, said }) => task || said || id;

/** @param {Other} one @returns {boolean} whether a card tells it as well */
function isOfCard(one) {
  if (one.kind === "task") return Boolean(one.task.predictionId);
  return one.kind === "wake" ? Boolean(one.wake.predictionId) : one.kind === "session" && isCardId(one.session.id);
}

/** @param {Other} one */
function textOf(one) {
  if (one.kind === "permission" || one.kind === "stop") return `${one.line.text} ${one.line.by}`;
  if (one.kind === "task") return `${one.task.title} ${one.task.notes}`;
  return one.kind === "session" ? `${nameOf(one.session)} ${one.session.id} ${one.session.agent} ${one.session.said}` : one.wake.says;
}

/** @param {{createdAt: string}} one @param {{createdAt: string}} other */
const byNewest = (one, other) => Date.parse(other.createdAt) - Date.parse(one.createdAt);
