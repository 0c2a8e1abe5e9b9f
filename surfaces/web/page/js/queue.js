/**
 * Sends the answers that were kept while the hub was away as soon as it is back, and says what became of each. The
 * service worker sends from the same store, so that closing the page loses nothing.
 */
/* global PulseOutbox */

import { onTold, say } from "./answers.js";
import { waiting } from "./keep.js";
import { setCard, state } from "./state.js";
import { t } from "./words.js";
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
