/**
 * Answers that could not be sent because the hub was away. Each keeps its time, its card's hash and its key, and is sent
 * again with the same key by whoever is first, page or service worker; the hub checks it anew when it arrives.
 * A plain script, so that both can load it; it needs `PulseStore` and `PulseSession`, and leaves `PulseOutbox`.
 */
/* global PulseSession, PulseStore */

(() => {
  const BASE = "/api/v1";
  const TAG = "pulse-answers";
  const ANSWERS_MAX = 100;
  const WAIT_MS_MAX = 20_000;
  const UNAVAILABLE = new Set([408, 425, 429, 500, 502, 503, 504]);

  /**
   * @param {KeptAnswer} answer
   * @throws {Error} when there is no room for it
   */
  async function keep(answer) {
    if ((await list()).length >= ANSWERS_MAX) throw new Error("too many answers wait");
    await PulseStore.put("answers", answer);
  }

  /** Keep an answer no longer: the hub has it, or it was taken back. @param {string} key */
  function drop(key) {
    return PulseStore.remove("answers", key);
  }

  /** @returns {Promise<KeptAnswer[]>} what waits, the oldest first */
  async function list() {
    const all = await PulseStore.all("answers");
    return all.sort((one, other) => one.at - other.at);
  }

  /**
   * Send what waits, in order, until the hub is away again.
   * @returns {Promise<SentAnswer[]>} what became of each that is decided
   */
  async function flush() {
    if (!navigator.locks) return sendAll();
    return navigator.locks.request(TAG, { ifAvailable: true }, (lock) => (lock ? sendAll() : []));
  }

  /** @returns {Promise<SentAnswer[]>} */
  async function sendAll() {
    const told = [];
    for (const answer of await list()) {
      if ((answer.notBefore ?? 0) > Date.now()) continue; // its page may still take it back, or sends it
      const outcome = await sendOne(answer);
      if (!outcome) break;
      await drop(answer.key);
      if (!(answer.notBefore && outcome.repeated)) told.push(outcome); // else it had arrived as its page was left
    }
    return told;
  }

  /**
   * @param {KeptAnswer} answer
   * @returns {Promise<SentAnswer | null>} null: the hub is away
   */
  async function sendOne(answer) {
    if (answer.expiresAt <= Date.now()) return { kind: "expired", answer, message: "" };
    try {
      const { ok, status, document } = await post(answer.path, answer.body, answer.key);
      if (ok) return { kind: "sent", answer, message: document?.message ?? "", repeated: document?.repeated === true };
      if (UNAVAILABLE.has(status)) return null;
      return { kind: "refused", answer, message: document?.detail ?? "" };
    } catch {
      return null;
    }
  }

  /**
   * Post to the hub.
   * @param {string} path below `/api/v1`
   * @param {object} body
   * @param {string} [key] idempotency key
   * @throws {TypeError | DOMException} when there was no answer
   */
  async function post(path, body, key) {
    const answer = await PulseSession.signed(BASE + path, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", ...(key ? { "idempotency-key": key } : {}) },
      body: JSON.stringify(body),
      cache: "no-store",
      keepalive: true,
      signal: AbortSignal.timeout(WAIT_MS_MAX),
    });
    const isJson = /json/.test(answer.headers.get("content-type") ?? "");
    return { ok: answer.ok, status: answer.status, document: isJson ? await answer.json() : null };
  }

  globalThis.PulseOutbox = { keep, drop, list, flush, post, TAG };
})();
