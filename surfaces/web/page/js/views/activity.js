/** Activity: all that happened as one timeline, and what it leads to: a story, the sessions, trends, what presses. */

import { addressOf } from "./places-model.js";
import { mount as timeline } from "./history.js";

/** @typedef {() => void} Leave */
/** @typedef {(root: HTMLElement, id: string) => Leave | Promise<Leave>} Mount */

/** @type {Record<string, () => Promise<Mount>>} */
const PARTS = {
  story: async () => (await import("./episode.js")).mountEpisode,
  sessions: async () => (await import("./sessions.js")).mount,
  trends: async () => (await import("./insight.js")).mount,
  drives: async () => (await import("./drives.js")).mount,
};

/**
 * @param {HTMLElement} root
 * @returns {Promise<Leave>} ends the view
 */
export async function mount(root) {
  const { part, id } = addressOf(location.hash);
  const open = Object.hasOwn(PARTS, part) ? await PARTS[part]() : timeline;
  return open(root, id);
}
