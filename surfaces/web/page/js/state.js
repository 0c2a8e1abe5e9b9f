/**
 * What the page knows: one model, changed in one place, watched by the views.
 *
 * `reduce` is pure: the model before, an event of the hub (hub/contract/events.py) and the time give the model after.
 * A card carries what the hub says (`prediction`) and what only this page knows (the lines that it heard, the answer
 * that is on its way, when it was settled before these eyes).
 */

import { needsHelp, withOvertaken } from "./failures.js";

/** @typedef {import("./types").Prediction} Prediction */
/** @typedef {import("./types").SyncAnswer} SyncAnswer */

/**
 * @typedef {object} Card
 * @property {Prediction} prediction
 * @property {string[]} lines what its agent said, as far as this page heard it, at most LINES_MAX
 * @property {string} sending the verb of an answer that is on its way (the card has left the deck), else ""
 * @property {number} settledAt when this page saw it settled in place (ms), 0 if it was so from the start
 * @property {number} endedAt when this page saw its run end (ms), else 0
 * @property {string} error why its run failed, else ""
 * @property {boolean} overtaken whether a newer card is about running the very same command
 */

/**
 * @typedef {object} Model
 * @property {"starting" | "pairing" | "ready"} phase
 * @property {import("./types").SessionAnswer | null} session
 * @property {"connecting" | "up" | "lost"} link
 * @property {number} knownAt when the hub last told us anything (ms), 0 for never
 * @property {import("./types").CrossPollStatus | null} status
 * @property {Record<string, Card>} cards by id
 * @property {import("./types").AgentView[]} agents
 * @property {import("./types").TaskView[]} tasks
 * @property {import("./types").RepositoryView[]} repositories as they were looked at last
 * @property {import("./types").FolderView[]} folders that are watched and are not in git
 * @property {Record<string, string>} titles what the person calls each device, by `surface/device`
 * @property {import("./types").DaySummary | null} day what this day brings, once it was told
 * @property {string[] | null} together the ids of the cards that came at once, the most valuable first; null once they are shown among all
 * @property {number} seq place in the live feed
 * @property {string} feed
 */

/** @typedef {"open" | "sending" | "snoozed" | "settled" | "running" | "done" | "failed" | "past"} Phase */

export const LINES_MAX = 40;
export const SETTLED_SHOWN_MS = 4_000;
export const DONE_SHOWN_MS = 60_000;
const PAST_CARDS_MAX = 60;

/** @type {Model} */
export const EMPTY = {
  phase: "starting",
  session: null,
  link: "connecting",
  knownAt: 0,
  status: null,
  cards: {},
  agents: [],
  tasks: [],
  repositories: [],
  folders: [],
  titles: {},
  day: null,
  together: null,
  seq: 0,
  feed: "",
};

/**
 * @template T
 * @param {T} start
 */
export function makeStore(start) {
  let now = start;
  /** @type {Set<(model: T) => void>} */
  const watchers = new Set();
  return {
    /** @returns {T} */
    get: () => now,
    /** @param {Partial<T>} patch what changes; watchers hear of it at once */
    set(patch) {
      now = { ...now, ...patch };
      watchers.forEach((watcher) => watcher(now));
    },
    /**
     * @param {(model: T) => void} watcher called after each change
     * @returns {() => void} ends it
     */
    watch(watcher) {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
  };
}

export const state = makeStore(EMPTY);

/**
 * Take an event of the hub into the model.
 * @param {{type: string}} event
 */
export function apply(event) {
  state.set(reduce(state.get(), event, Date.now()));
}

/**
 * Change what only this page knows of a card.
 * @param {string} id
 * @param {Partial<Card>} patch
 */
export function setCard(id, patch) {
  const { cards } = state.get();
  if (cards[id]) state.set({ cards: { ...cards, [id]: { ...cards[id], ...patch } } });
}

/**
 * The model after an event. Events at or before the model's place in the feed are old news and change nothing.
 * @param {Model} model
 * @param {any} event of the hub, with `seq`
 * @param {number} now ms
 * @returns {Model}
 */
export function reduce(model, event, now) {
  if (typeof event.seq === "number" && event.seq <= model.seq) return model;
  const placed = { ...model, seq: event.seq ?? model.seq, knownAt: now };
  const change = CHANGES[event.type];
  return change ? change(placed, event, now) : placed;
}

/** @type {Record<string, (model: Model, event: any, now: number) => Model>} */
const CHANGES = {
  "prediction.new": (model, { prediction }, now) => withPrediction(model, prediction, now),
  "prediction.settled": (model, { prediction }, now) => withPrediction(model, prediction, now),
  "prediction.snoozed": (model, { prediction }, now) => withPrediction(model, prediction, now),
  "prediction.returned": (model, { prediction }, now) => withPrediction(model, prediction, now, { settledAt: 0, endedAt: 0, error: "", lines: [] }),
  "prediction.expired": (model, { predictionId, reason }, now) => {
    const card = model.cards[predictionId];
    return card ? withPrediction(model, { ...card.prediction, status: "expired", statusReason: reason }, now) : model;
  },
  "prediction.executed": (model, { prediction, result }, now) => {
    const told = { ...prediction, outcome: prediction.outcome || result };
    return withAgent(withPrediction(model, told, now, { endedAt: now }), told, ENDED);
  },
  "execution.started": (model, { prediction }, now) => {
    const isNew = !model.cards[prediction.id];
    const told = withPrediction(model, prediction, now, isNew ? {} : { lines: [], error: "", endedAt: 0 });
    return withAgent(told, prediction, {
      state: "running",
      predictionId: prediction.id,
      doing: prediction.prompt,
      since: new Date(now).toISOString(),
      lastLine: "",
    });
  },
  "execution.progress": (model, { predictionId, line }) => {
    const card = model.cards[predictionId];
    if (!card) return model;
    const lines = [...card.lines, line].slice(-LINES_MAX);
    return withAgent({ ...model, cards: { ...model.cards, [predictionId]: { ...card, lines } } }, card.prediction, { lastLine: line });
  },
  "execution.failed": (model, { prediction, error, kind }, now) => {
    const told = withPrediction(model, prediction, now, { endedAt: now, error: kind === "stopped" ? "" : error });
    return withAgent(told, prediction, kind === "failed" || kind === "timeout" ? { ...ENDED, state: "failed" } : ENDED);
  },
  "crosspoll.status": (model, { status }) => ({ ...model, status }),
  "digest.ready": (model, { cards, day }, now) => {
    const together = cards.length ? cards.map((/** @type {Prediction} */ { id }) => id) : model.together;
    return cards.reduce((/** @type {Model} */ told, /** @type {Prediction} */ one) => withPrediction(told, one, now), { ...model, together, day: day ?? model.day });
  },
};

/** @type {Partial<import("./types").AgentView>} */
const ENDED = { state: "idle", predictionId: null, doing: "" };

/**
 * The model after a whole reading of the hub's state. What only this page knows of its cards is kept.
 * @param {Model} model
 * @param {SyncAnswer} answer
 * @param {number} now ms
 * @returns {Model}
 */
export function withSync(model, answer, now) {
  const { status, agents, tasks, seq, feed, day } = answer;
  /** @type {Model} */
  let next = { ...model, status, agents, tasks, seq, feed, day: day ?? null, knownAt: now };
  const told = [...answer.open, ...answer.recent];
  const kept = new Set(told.map((one) => one.id));
  next.cards = Object.fromEntries(Object.entries(model.cards).filter(([id]) => kept.has(id)));
  for (const prediction of told) next = withPrediction(next, prediction, now, {}, model.knownAt === 0);
  return next;
}

/**
 * @param {Model} model
 * @param {Prediction} prediction
 * @param {number} now
 * @param {Partial<Card>} [patch]
 * @param {boolean} [isFirst] whether this is the first that the page hears of anything
 * @returns {Model}
 */
function withPrediction(model, prediction, now, patch = {}, isFirst = false) {
  const before = model.cards[prediction.id];
  const card = before ?? { prediction, lines: [], sending: "", settledAt: 0, endedAt: 0, error: "", overtaken: false };
  const seen = { ...card, ...patch, prediction };
  const wasOpen = before !== undefined && before.prediction.status === "pending";
  if (wasOpen && prediction.status !== "pending" && !isFirst) {
    // an answer given here has flown off the deck; one given elsewhere is shown in place for a moment
    seen.settledAt = before.sending ? 0 : now;
    seen.sending = "";
  }
  if (prediction.status === "pending" && prediction.snoozedUntil) seen.sending = "";
  return bounded({ ...model, cards: withOvertaken({ ...model.cards, [prediction.id]: seen }, prediction) });
}

/**
 * @param {Model} model
 * @param {Prediction} prediction
 * @param {Partial<import("./types").AgentView>} patch
 * @returns {Model}
 */
function withAgent(model, prediction, patch) {
  return { ...model, agents: model.agents.map((one) => (one.channel === prediction.targetChannel ? { ...one, ...patch } : one)) };
}

/** Drop the oldest cards that are over; open and running ones always stay. @param {Model} model @returns {Model} */
function bounded(model) {
  const over = Object.values(model.cards).filter((card) => !["pending", "confirmed"].includes(card.prediction.status));
  if (over.length <= PAST_CARDS_MAX) return model;
  const cards = { ...model.cards };
  for (const card of over.sort(byNewest).slice(PAST_CARDS_MAX)) delete cards[card.prediction.id];
  return { ...model, cards };
}

/**
 * Where a card is in its life, as this page shows it.
 * @param {Card} card
 * @param {number} now ms
 * @returns {Phase}
 */
export function phaseOf(card, now) {
  const { prediction } = card;
  if (card.settledAt && !card.endedAt && now - card.settledAt < SETTLED_SHOWN_MS) return "settled";
  switch (prediction.status) {
    case "pending":
      return phaseOfPending(card, now);
    case "confirmed":
      return prediction.source === "ask" ? "past" : "running";
    case "executed":
      return card.endedAt && now - card.endedAt < DONE_SHOWN_MS ? "done" : "past";
    case "failed":
      return needsHelp(card, now) ? "failed" : "past";
    default:
      return "past";
  }
}

/** @param {Card} card @param {number} now @returns {Phase} */
function phaseOfPending(card, now) {
  const { snoozedUntil, expiresAt } = card.prediction;
  if (card.sending) return "sending";
  if (snoozedUntil && Date.parse(snoozedUntil) > now) return "snoozed";
  return Date.parse(expiresAt) + SETTLED_SHOWN_MS > now ? "open" : "past";
}

/**
 * The cards of the stack: the open ones, and those that were settled elsewhere a moment ago. Agents that are blocked come
 * first, whatever their age, then other questions, of both the one whose time ends first; then ideas, the newest first.
 * @param {Model} model
 * @param {number} now ms
 * @returns {Card[]}
 */
export function deckOf(model, now) {
  const cards = inPhase(model, now, ["open", "settled"]);
  const questions = cards.filter(({ prediction }) => prediction.source === "ask");
  const ideas = cards.filter(({ prediction }) => prediction.source !== "ask");
  const ends = (/** @type {Card} */ { prediction }) => Date.parse(prediction.expiresAt);
  const isFree = (/** @type {Card} */ { prediction }) => Number(!prediction.permission);
  return [...questions.sort((one, other) => isFree(one) - isFree(other) || ends(one) - ends(other)), ...ideas];
}

/**
 * What runs, what just ended, and what failed and waits for help.
 * @param {Model} model
 * @param {number} now ms
 * @returns {Card[]}
 */
export function workOf(model, now) {
  return inPhase(model, now, ["running", "failed", "done"]);
}

/** @param {Model} model @param {number} now @param {Phase[]} phases */
function inPhase(model, now, phases) {
  return Object.values(model.cards).filter((card) => phases.includes(phaseOf(card, now))).sort(byNewest);
}

/** @param {Card} one @param {Card} other */
function byNewest(one, other) {
  return Number((one.prediction.held?.until ?? "dialog") !== "dialog") - Number((other.prediction.held?.until ?? "dialog") !== "dialog") || Date.parse(other.prediction.createdAt) - Date.parse(one.prediction.createdAt);
}
