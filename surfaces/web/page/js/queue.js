/**
 * Answers that were given while the hub was away: kept in this browser, sent as soon as it is back, each with what
 * became of it. The service worker sends from the same store, so that closing the page loses nothing.
 */
/* global PulseOutbox */

import { onTold, say } from "./answers.js";
import { setCard, state } from "./state.js";
import { t } from "./words.js";
import "./shared/store.js";
import "./shared/session.js";
import "./shared/outbox.js";

const AGAIN_MS_MIN = 500;
const AGAIN_MS_MAX = 15_000;
const TEXT_CHARS_MAX = 80;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let planned;
let attempts = 0;

/** Send what waits, now and whenever the hub may be back. */
export function start() {
  let link = state.get().link;
  state.watch(() => {
    const before = link;
    link = state.get().link;
    if (link !== before && link === "up") isBack();
  });
  addEventListener("online", isBack);
  navigator.serviceWorker?.addEventListener(
    "message",
    ({ data }) => data?.type === "pulse:sent" && data.told.forEach(tell),
  );
  onTold((told) => told.kind === "queued" && plan());
  void flush();
}

function isBack() {
  attempts = 0;
  void flush();
}

/**
 * Keep an answer until it can be sent.
 * @param {{prediction: import("./types").Prediction, verb: string, path: string, body: object, key: string}} answer
 * @throws {Error} when it cannot be kept
 */
export async function keep({ prediction, verb, path, body, key }) {
  await PulseOutbox.keep({
    key,
    at: Date.now(),
    expiresAt: Date.parse(prediction.expiresAt),
    path,
    body: { ...body },
    verb,
    cardId: prediction.id,
    cardHash: prediction.cardHash,
    text: prediction.prompt,
  });
  const registration = await navigator.serviceWorker?.getRegistration();
  await /** @type {any} */ (registration)?.sync?.register(PulseOutbox.TAG).catch(() => {}); // else this page sends it
}

/** @returns {Promise<KeptAnswer[]>} what waits, the oldest first */
export function waiting() {
  return PulseOutbox.list();
}

/** Send what waits, and say what became of each. */
export async function flush() {
  clearTimeout(planned);
  planned = undefined;
  const told = await PulseOutbox.flush().catch(() => []);
  told.forEach(tell);
  if (told.length) attempts = 0;
  if ((await waiting().catch(() => [])).length) plan();
}

/**
 * Try again soon: an answer may have been kept just after the word that the hub is back; then ever more rarely, half of
 * the wait by chance, so that pages do not come at once.
 */
function plan() {
  if (planned) return;
  const whole = Math.min(AGAIN_MS_MAX, AGAIN_MS_MIN * 2 ** attempts++);
  planned = setTimeout(() => void flush(), (whole / 2) * (1 + Math.random()));
}

/** @param {SentAnswer} sent */
function tell({ kind, answer, message }) {
  if (kind !== "sent") setCard(answer.cardId, { sending: "" }); // it was not taken, so the card comes back
  const text = answer.text.length > TEXT_CHARS_MAX ? `${answer.text.slice(0, TEXT_CHARS_MAX)}…` : answer.text;
  if (kind === "sent") return say(t("offline.sent", { text }));
  return say(kind === "expired" ? t("offline.expired", { text }) : t("offline.refused", { text, message }), "bad");
}
