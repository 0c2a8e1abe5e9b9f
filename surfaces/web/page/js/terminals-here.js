/** The terminals on this machine: which were let in, and which ask. The hub says when to look again. */

import { get } from "./api.js";
import { makeStore } from "./state.js";

/** @typedef {import("./types").TerminalList} TerminalList */

/** While one asks: that it gives up, nobody tells. */
const AGAIN_MS = 3_000;

const NAME = "terminals";

export const terminalsHere = makeStore(/** @type {Pick<TerminalList, "terminals" | "asking" | "needed">} */ ({ terminals: [], asking: [], needed: false }));

/** @type {ReturnType<typeof setTimeout> | undefined} */
let planned;

/** Begin to look. */
export async function startTerminals() {
  addEventListener("pulse:look-again", (event) => (/** @type {CustomEvent} */ (event).detail ?? NAME) === NAME && void lookForTerminals().catch(away));
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && void lookForTerminals().catch(away));
  await lookForTerminals().catch(away);
}

/** Look now. @returns {Promise<void>} */
export async function lookForTerminals() {
  clearTimeout(planned);
  try {
    const { terminals, asking, needed } = await get("/terminals");
    const before = terminalsHere.get();
    if (JSON.stringify([terminals, asking, needed]) !== JSON.stringify([before.terminals, before.asking, before.needed])) terminalsHere.set({ terminals, asking, needed });
  } finally {
    clearTimeout(planned);
    if (terminalsHere.get().asking.length) planned = setTimeout(() => document.visibilityState === "visible" && void lookForTerminals().catch(away), AGAIN_MS);
  }
}

/** What cannot be read now is read at the next look; that the hub is away, the page says by itself. */
function away() {}
