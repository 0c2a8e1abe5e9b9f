/** Whether Pulse is stopped, and whether a button may start it again. */

import { state } from "../state.js";

/** @returns {boolean} whether nothing may start, whatever is answered */
export function isStopped() {
  const { status } = state.get();
  return status !== null && !status.enabled;
}

/** @returns {boolean} whether a button may start Pulse again: what its settings file says, only that file changes */
export function canStart() {
  return isStopped() && state.get().status?.killedBy !== "file";
}
