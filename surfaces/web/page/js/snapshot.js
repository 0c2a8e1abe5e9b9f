/** The last known state, kept in this browser so that there is something to see while the hub cannot be reached. */

import { EMPTY, state } from "./state.js";

const KEPT_AS = "pulse.last";
const KEEP_EVERY_MS = 2_000;
const CHARS_MAX = 400_000;

/** @type {ReturnType<typeof setTimeout> | undefined} */
let planned;
let isOver = false;

/** Keep what is known, now and then, until the page is left. */
export function keepSnapshots() {
  isOver = false;
  keep();
  state.watch(() => (planned ??= setTimeout(keep, KEEP_EVERY_MS)));
  addEventListener("pagehide", keep);
}

/**
 * Return what was known last.
 * @returns {import("./state.js").Model | null}
 */
export function recall() {
  try {
    const kept = localStorage.getItem(KEPT_AS);
    return kept ? { ...EMPTY, ...JSON.parse(kept) } : null;
  } catch {
    return null; // not ours, or of an older page
  }
}

/** Forget everything, and keep nothing more as this page is left: this browser is signed out. */
export function forget() {
  isOver = true;
  clearTimeout(planned);
  localStorage.removeItem(KEPT_AS);
  localStorage.removeItem("pulse.repositories");
  localStorage.removeItem("pulse.folders");
}

function keep() {
  clearTimeout(planned);
  planned = undefined;
  const model = state.get();
  if (isOver || model.phase !== "ready") return;
  const text = JSON.stringify(model);
  try {
    if (text.length <= CHARS_MAX) localStorage.setItem(KEPT_AS, text);
  } catch {
    localStorage.removeItem(KEPT_AS); // the browser's room for it is used up
  }
}
