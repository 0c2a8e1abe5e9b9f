/** Tells the hub that a person is here: as times only, never what was typed, pointed at or read. */

import { sayPresence } from "./live.js";

const SAY_EVERY_MS = 20_000;
const SIGNS = ["pointerdown", "pointermove", "keydown", "wheel", "touchstart"];

let activeAt = 0;
let saidAt = 0;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let planned;

/** Begin to notice the person. */
export function startPresence() {
  for (const sign of SIGNS) addEventListener(sign, onSign, { passive: true, capture: true });
  document.addEventListener("visibilitychange", () => say());
  addEventListener("pagehide", () => sayPresence(false, activeAt));
  activeAt = Date.now(); // somebody opened the page
  say();
}

/** @returns {number} when the person last did something here (ms) */
export function lastActive() {
  return activeAt;
}

/** @param {Event} event */
function onSign(event) {
  if (!event.isTrusted) return; // a script is nobody
  activeAt = Date.now();
  if (planned !== undefined) return;
  planned = setTimeout(say, Math.max(0, saidAt + SAY_EVERY_MS - activeAt));
}

function say() {
  clearTimeout(planned);
  planned = undefined;
  saidAt = Date.now();
  sayPresence(document.visibilityState === "visible", activeAt);
}
