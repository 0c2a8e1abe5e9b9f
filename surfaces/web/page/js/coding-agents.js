/** The coding agents on this machine: read when the page is there, when the hub says so, and while one is being connected. */

import { get } from "./api.js";
import { makeStore } from "./state.js";

/** @typedef {import("./types").CodingAgentView} CodingAgentView */
/** @typedef {import("./types").MissingAgentView} MissingAgentView */
/** @typedef {{agents: readonly CodingAgentView[], missing: readonly MissingAgentView[], isRead: boolean}} AgentsHere `isRead`: this time, not kept from the last */

const KEPT_AS = "pulse.coding-agents";
const CHARS_MAX = 100_000;
const NAME = "coding-agents";
const SOON_MS = 2_000;
const CALM_MS = 15_000;
/** Its settings are written a moment after the hub has heard of it. */
const LOOKS_AFTER = 3;

export const agentsHere = makeStore(/** @type {AgentsHere} */ ({ agents: [], missing: [], isRead: false }));

/** @type {() => void} */
let looked = () => {};
/** Settles with the first look, whatever came of it. @type {Promise<void>} */
export const agentsLooked = new Promise((resolve) => {
  looked = resolve;
});
/** @type {ReturnType<typeof setTimeout> | undefined} */
let planned;
/** How often each of those who look wants it (ms). @type {Set<{everyMs: number}>} */
const lookers = new Set();
let looksLeft = 0;

/** Show those of the last time until they are looked at, so that nothing jumps. */
export function recallAgents() {
  if (!agentsHere.get().isRead) agentsHere.set({ agents: JSON.parse(localStorage.getItem(KEPT_AS) ?? "[]"), missing: [], isRead: false });
}

/** Begin to look. What cannot be read is tried again. */
export async function startCodingAgents() {
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void look());
  addEventListener("pulse:look-again", (event) => {
    if ((/** @type {CustomEvent} */ (event).detail ?? NAME) !== NAME) return;
    looksLeft = LOOKS_AFTER;
    void look();
  });
  await look();
}

/** Look every other second, for a person who is about to connect one in a terminal. @returns {() => void} ends it */
export const lookOften = () => lookEvery(SOON_MS);

/** Look now and every few seconds, while a person is told that what they install appears. @returns {() => void} ends it */
export function lookOn() {
  void look();
  return lookEvery(CALM_MS);
}

/** @param {number} everyMs @returns {() => void} ends it */
function lookEvery(everyMs) {
  const looker = { everyMs };
  lookers.add(looker);
  plan();
  return () => {
    lookers.delete(looker);
  };
}

async function look() {
  if (document.visibilityState === "visible") {
    const answer = await get("/coding-agents").catch(() => null); // away: the page says so by itself
    keep(answer ?? agentsHere.get());
  }
  looked();
  plan();
}

function plan() {
  clearTimeout(planned);
  looksLeft = Math.max(0, looksLeft - 1);
  const nextMs = Math.min(...[...lookers].map(({ everyMs }) => everyMs), looksLeft ? SOON_MS : Infinity);
  if (nextMs !== Infinity) planned = setTimeout(() => void look(), nextMs);
}

/** @param {Pick<AgentsHere, "agents" | "missing">} found shown at the next start until they are looked at again */
function keep({ agents, missing }) {
  const text = JSON.stringify(agents);
  const before = agentsHere.get();
  if (before.isRead && JSON.stringify([before.agents, before.missing]) === JSON.stringify([agents, missing])) return;
  agentsHere.set({ agents, missing, isRead: true });
  if (text.length <= CHARS_MAX) localStorage.setItem(KEPT_AS, text);
}
