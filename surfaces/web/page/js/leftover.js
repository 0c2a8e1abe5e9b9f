/** An answer that went out as the page was left, and may not have arrived: it is sent again, with the same key. */

import { LEFT_AS } from "./answers.js";
import { Offline, send } from "./api.js";

const AGE_MS_MAX = 10 * 60_000;

/** Send what was left, if anything was; the hub takes the same answer once. */
export async function sendLeftover() {
  const kept = localStorage.getItem(LEFT_AS);
  if (!kept) return;
  const { path, body, key, at } = JSON.parse(kept);
  try {
    if (Date.now() - at < AGE_MS_MAX) await send("POST", path, body, { key });
  } catch (error) {
    if (error instanceof Offline) return; // the next start tries again
  }
  localStorage.removeItem(LEFT_AS);
}
