/** Cards, models and syncs for the unit tests, as the contract has them. */

import { EMPTY } from "../../../surfaces/web/page/js/state.js";

export const NOW = Date.parse("2026-03-02T14:02:00Z");

/** @param {number} minutes from now on @returns {string} */
export const at = (minutes) => new Date(NOW + minutes * 60_000).toISOString();

/** @param {string} id @param {object} [changes] */
export function prediction(id, changes = {}) {
  return {
    id,
    prompt: `do ${id}`,
    targetAgent: "claude-code",
    targetChannel: "koji-core",
    confidence: 0.72,
    reasoning: "",
    createdAt: at(-2),
    status: "pending",
    source: "template",
    expiresAt: at(28),
    risk: "low",
    cardHash: `hash-${id}`,
    costEstimateUsd: 0.05,
    badges: [],
    snoozedUntil: null,
    snoozesLeft: 3,
    settled: null,
    executionId: null,
    runState: null,
    outcome: "",
    attempts: 0,
    origin: "pulse",
    quotes: [],
    editable: true,
    runs: null,
    result: null,
    offers: [],
    fixer: "",
    ...changes,
  };
}

/** @param {string} verb @param {object} [changes] */
export function settled(verb, changes = {}) {
  return { verb, by: "me", surface: "phone", device: "pixel", humanInput: "tap", at: at(0), reason: "", ...changes };
}

/** @param {object} [changes] */
export function sync(changes = {}) {
  return { status: null, open: [], recent: [], agents: [], tasks: [], seq: 5, feed: "f", timestamp: at(0), ...changes };
}

/** @param {object} [changes] */
export const model = (changes = {}) => ({ ...EMPTY, seq: 5, feed: "f", knownAt: NOW, ...changes });

/** @param {object} shown @param {object} [changes] */
export const card = (shown, changes = {}) => ({
  prediction: shown,
  lines: [],
  sending: "",
  settledAt: 0,
  endedAt: 0,
  error: "",
  ...changes,
});

/** What a browser has and Node has not, as far as loading the page's scripts needs it. */
export function pretendBrowser() {
  globalThis.addEventListener ??= () => {};
  globalThis.document ??= { addEventListener() {} };
}
