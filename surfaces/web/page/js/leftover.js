/** An answer that went out as the page was left, and may not have arrived: it is sent again, with the same key. */

import { LEFT_AS } from "./answers.js";
import { Offline, send } from "./api.js";

const AGE_MS_MAX = 10 * 60_000;

/** Send what was left, if anything was; the hub takes the same answer once. */
export async function sendLeftover() {
  await Promise.all(Object.keys(localStorage).filter((name) => name.startsWith(LEFT_AS)).map(sendOne));
}

/** @param {string} name of what was left */
async function sendOne(name) {
  const { path, body, key, at } = JSON.parse(localStorage.getItem(name) ?? "{}");
  try {
    if (Date.now() - at < AGE_MS_MAX) await send("POST", path, body, { key });
  } catch (error) {
    if (error instanceof Offline) return; // the next start tries again
  }
  localStorage.removeItem(name);
}
