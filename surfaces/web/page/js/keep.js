/** Keeps answers that were given while the hub was away in this browser, until they can be sent. */
/* global PulseOutbox */

import "./shared/session.js";
import "./shared/outbox.js";

/**
 * Keep an answer until it can be sent.
 * @param {{prediction: import("./types").Prediction, verb: string, path: string, body: object, key: string, notBefore?: number}} answer
 * @throws {Error} when it cannot be kept
 */
export async function keep({ prediction, verb, path, body, key, notBefore }) {
  await PulseOutbox.keep({
    key,
    notBefore,
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

/** Keep an answer no longer: the hub has it, or it was taken back. @param {string} key */
export function drop(key) {
  return PulseOutbox.drop(key);
}

/** @returns {Promise<KeptAnswer[]>} what waits, the oldest first */
export function waiting() {
  return PulseOutbox.list();
}
