/**
 * A person's answers to cards: approve, reject, snooze, edit, undo, stop, retry.
 *
 * A dismissal is held for a moment so that its reason can go with it, and an approval of some risk so that it can be
 * taken back before anything began; whatever ends the moment (the time, another answer, leaving the page) sends it, and
 * only undoing it does not. It is kept in the browser meanwhile, so that one that is killed loses nothing, and so is
 * what cannot be sent because the hub is away: the queue sends it with the same key.
 */

import { Offline, Problem, newKey, prepare, send, wordsOf } from "./api.js";
import { drop, keepSafe } from "./safe.js";
import { setCard, state } from "./state.js";

/** @typedef {import("./types").Prediction} Prediction */
/** @typedef {"tap" | "key"} Input how the person answered */
/**
 * @typedef {object} Told what became of an answer, for whoever shows it
 * @property {"sent" | "queued" | "refused" | "held"} kind
 * @property {string} verb
 * @property {Prediction} prediction as it is now
 * @property {string} message
 * @property {number} [count] how many cards it answers, where that is more than this one
 * @property {string} [option] what was chosen of the options of a request
 */
/** @typedef {{isLeaving?: boolean, count?: number, key?: string}} How the page is being left, and nobody waits; it is one of so many alike; it is kept under this key */
/**
 * @typedef {object} Foot what shows messages at the foot of the page
 * @property {(told: Told) => void} show
 * @property {(text: string, tone?: "" | "bad") => void} say
 */

const PATH_OF = {
  approve: "confirm",
  reject: "reject",
  snooze: "snooze",
  edit: "edit",
  undo: "undo",
  stop: "stop",
  retry: "retry",
  less: "less",
  never: "never",
  fix: "fix",
  ignore: "ignore",
};
/** How long an answer is held before it goes out, by its verb; `several` is for many at once. */
export const HELD_MS = { reject: 3_000, approve: 4_000, several: 6_000 };
/** How much longer a held answer is left to this page before the queue sends it, and while a reason is chosen. */
const LEFT_TO_US_MS = 5_000;
const CHOOSING_MS = 600_000;

/** Answers after which a card is no longer in the stack. */
const TAKES_OFF = new Set(["approve", "reject", "snooze", "edit", "less", "never"]);
const UNDOABLE = TAKES_OFF;
const UNDOABLE_MAX = 10;

/** @type {Set<(told: Told) => void>} */
const listeners = new Set();
/** @type {{prediction: Prediction, at: number}[]} answers that can be taken back, last one last */
let answered = [];
/** @type {Promise<unknown>} the last answer, until the hub has taken or refused it */
let underway = Promise.resolve();
/** @type {{predictions: Prediction[], keys: string[], verb: "approve" | "reject", input: Input, timer: ReturnType<typeof setTimeout> | undefined} | null} */
let held = null;
/** @type {() => Promise<Foot>} */
let foot = () => Promise.reject(new Error("nothing shows messages"));

/**
 * Name what shows messages at the foot of the page. It may come after the page: a message waits for it.
 * @param {() => Promise<Foot>} load
 */
export function showBy(load) {
  foot = load;
}

/** @param {(told: Told) => void} listener hears what becomes of answers */
export function onTold(listener) {
  listeners.add(listener);
}

/**
 * Answer a card.
 * @param {Prediction} prediction as it was shown: the answer is bound to that
 * @param {keyof typeof PATH_OF} verb
 * @param {Input} input
 * @param {{prompt?: string, minutes?: number, until?: string, reason?: string, attempt?: number, about?: import("./types").Breadth, permission?: {option?: string, answers?: Record<string, string[]>, until?: string, paths?: string[]}}} [more] of the verb
 * @param {How} [how]
 * @returns {Promise<Told>}
 */
export function answer(prediction, verb, input, more = {}, how = {}) {
  flush();
  const told = give(prediction, verb, input, more, how);
  underway = told;
  return told;
}

/**
 * Take the last answer that can be taken back off the list of them; one that is on its way is waited for.
 * @returns {Promise<{prediction: Prediction, at: number} | undefined>}
 */
export async function lastAnswered() {
  await underway;
  return answered.pop();
}

/** What an agent may do for itself once it was told yes cannot be called back; where nothing can run, nothing began. @param {Told} told */
export function canUndo({ kind, verb, prediction }) {
  if (prediction.runs?.problem && verb === "approve") return false;
  if (prediction.permission && verb === "reject") return false; // its agent has heard it
  return kind === "sent" && UNDOABLE.has(verb) && !(prediction.source === "ask" && (verb === "approve" || verb === "edit"));
}

/**
 * @param {Prediction} prediction
 * @param {keyof typeof PATH_OF} verb
 * @param {Input} input
 * @param {{permission?: {option?: string}}} more
 * @param {How} how
 * @returns {Promise<Told>}
 */
async function give(prediction, verb, input, more, { isLeaving = false, count = 1, key: keptAs = "" }) {
  const key = keptAs || newKey();
  const path = pathOf(prediction, verb);
  const body = bodyOf(prediction, verb, input, more, key);
  const takesOff = TAKES_OFF.has(verb);
  if (takesOff) setCard(prediction.id, { sending: verb });
  try {
    const reply = await send("POST", path, body, { key, keepalive: isLeaving });
    if (keptAs) drop([key]);
    take(reply.prediction);
    if (verb === "undo") toFront(prediction.id);
    return tell({ kind: "sent", verb, prediction: reply.prediction, message: reply.message, count, option: more.permission?.option });
  } catch (error) {
    if (error instanceof Offline && takesOff && (await keepSafe({ prediction, verb, path, body, key }))) {
      return tell({ kind: "queued", verb, prediction, message: "" });
    }
    if (keptAs) drop([key]);
    return refused(prediction, verb, error);
  }
}

/** @param {Prediction} prediction @param {keyof typeof PATH_OF} verb */
function pathOf(prediction, verb) {
  return `/predictions/${encodeURIComponent(prediction.id)}/${PATH_OF[verb]}`;
}

/**
 * Answer a card, but wait a moment before the answer goes out: for the reason of a dismissal, or a second thought.
 * @param {Prediction} prediction
 * @param {Input} input
 * @param {"approve" | "reject"} [verb]
 */
export function hold(prediction, input, verb = "reject") {
  holdAll([prediction], input, verb, HELD_MS[verb]);
}

/**
 * Answer several cards alike; for as long as they are held, one undo takes all of them back.
 * @param {Prediction[]} predictions at least one
 * @param {Input} input
 * @param {"approve" | "reject"} verb
 * @param {number} [waitMs]
 */
export function holdAll(predictions, input, verb, waitMs = HELD_MS.several) {
  flush();
  for (const prediction of predictions) {
    setCard(prediction.id, { sending: verb });
    void prepare(pathOf(prediction, verb));
  }
  held = { predictions, keys: predictions.map(newKey), verb, input, timer: setTimeout(flush, waitMs) };
  keepHeld(waitMs + LEFT_TO_US_MS);
  tell({ kind: "held", verb, prediction: predictions[0], message: "", count: predictions.length });
}

/** Wait on: the person is choosing a reason. */
export function keepHolding() {
  clearTimeout(held?.timer);
  keepHeld(CHOOSING_MS);
}

/** Keep what is held, in case this page does not live to send it. @param {number} forMs */
function keepHeld(forMs) {
  if (!held) return;
  const { predictions, keys, verb, input } = held;
  predictions.forEach((prediction, at) => {
    const [key, path] = [keys[at], pathOf(prediction, verb)];
    void keepSafe({ prediction, verb, path, body: bodyOf(prediction, verb, input, {}, key), key, notBefore: Date.now() + forMs });
  });
}

/** @param {string} [reason] send what is held, with this reason */
export function flush(reason = "") {
  letGo(reason, false);
}

/**
 * Take back what is held, before it was sent.
 * @returns {boolean} whether something was held
 */
export function takeBack() {
  if (!held) return false;
  clearTimeout(held.timer);
  const ids = held.predictions.map(({ id }) => id);
  drop(held.keys);
  ids.forEach((id) => setCard(id, { sending: "" }));
  held = null;
  toFront(ids[0]);
  return true;
}

addEventListener("pagehide", () => letGo("", true));
document.addEventListener("visibilitychange", () => document.visibilityState === "hidden" && letGo("", true));

/** @param {string} reason @param {boolean} isLeaving */
function letGo(reason, isLeaving) {
  if (!held) return;
  const { predictions, keys, verb, input, timer } = held;
  clearTimeout(timer);
  held = null;
  const count = predictions.length;
  predictions.forEach((one, at) => void answer(one, verb, input, reason ? { reason } : {}, { isLeaving, count, key: keys[at] }));
}

/**
 * @param {Prediction} prediction
 * @param {string} verb
 * @param {Input} input
 * @param {object} more
 * @param {string} key
 */
function bodyOf(prediction, verb, input, more, key) {
  const device = state.get().session?.device ?? "api"; // the hub knows which device we are
  const whole = { ...more, humanInput: input, surface: "browser", device, idempotencyKey: key };
  return { ...whole, cardHash: prediction.cardHash, round: prediction.round };
}

/**
 * Take a card as the hub has it now. The feed says the same; whoever is first is shown.
 * @param {Prediction} prediction
 */
function take(prediction) {
  const card = state.get().cards[prediction.id];
  const isOpen = prediction.status === "pending" && !prediction.snoozedUntil;
  if (card) setCard(prediction.id, { prediction, sending: isOpen ? "" : card.sending });
}

/** @param {Prediction} prediction @param {string} verb @param {unknown} error @returns {Told} */
function refused(prediction, verb, error) {
  const fresh = error instanceof Problem ? /** @type {Prediction | null} */ (error.prediction) : null;
  const isOver = fresh !== null && fresh.status !== "pending";
  setCard(prediction.id, {
    sending: "",
    ...(fresh ? { prediction: fresh } : {}),
    ...(isOver ? { settledAt: Date.now() } : {}),
  });
  toFront(prediction.id);
  return tell({ kind: "refused", verb, prediction: fresh ?? prediction, message: wordsOf(error) });
}

/** A card that comes back comes to the front. @param {string} id */
function toFront(id) {
  dispatchEvent(new CustomEvent("pulse:front", { detail: id }));
}

/** @param {Told} told @returns {Told} */
function tell(told) {
  if (canUndo(told)) answered = [...answered.slice(1 - UNDOABLE_MAX), { prediction: told.prediction, at: Date.now() }];
  listeners.forEach((listener) => listener(told));
  atTheFoot(({ show }) => show(told));
  return told;
}

/**
 * Let a button ask the hub for something: pressed once, and what is refused is said at the foot of the page.
 * @param {HTMLButtonElement} button cannot be pressed again until it is done
 * @param {() => Promise<any>} act
 */
export async function press(button, act) {
  button.disabled = true;
  try {
    await act();
  } catch (error) {
    say(wordsOf(error), "bad");
  }
  button.disabled = false;
}

/**
 * Say something at the foot of the page, from anywhere.
 * @param {string} text
 * @param {"" | "bad"} [tone]
 */
export function say(text, tone = "") {
  atTheFoot((shown) => shown.say(text, tone));
}

/** @param {(foot: Foot) => void} put */
function atTheFoot(put) {
  foot().then(put, () => {}); // away from the hub it may not be here yet
}
