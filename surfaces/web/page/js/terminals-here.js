/** The terminals on this machine: which were let in, and which ask. A request that comes is seen within seconds. */

import { get } from "./api.js";
import { makeStore } from "./state.js";

/** @typedef {import("./types").TerminalList} TerminalList */

const AGAIN_MS = 3_000;

export const terminalsHere = makeStore(/** @type {Pick<TerminalList, "terminals" | "asking">} */ ({ terminals: [], asking: [] }));

/** @type {ReturnType<typeof setTimeout> | undefined} */
let planned;

/** Begin to look, as long as the page is seen. */
export async function startTerminals() {
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void lookForTerminals().catch(away));
  await lookForTerminals().catch(away);
}

/** Look now. @returns {Promise<void>} */
export async function lookForTerminals() {
  clearTimeout(planned);
  try {
    const { terminals, asking } = await get("/terminals");
    const before = terminalsHere.get();
    if (JSON.stringify([terminals, asking]) !== JSON.stringify([before.terminals, before.asking])) terminalsHere.set({ terminals, asking });
  } finally {
    clearTimeout(planned);
    planned = setTimeout(() => document.visibilityState === "visible" && void lookForTerminals().catch(away), AGAIN_MS);
  }
}

/** What cannot be read now is read at the next look; that the hub is away, the page says by itself. */
function away() {}
