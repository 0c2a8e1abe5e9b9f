/** What happened beside the cards: sessions, wake-ups, tasks and what permissions let through, and the figures above them. */

import { get } from "../api.js";
import { othersOf } from "./activity-model.js";
import { drawOverview } from "./activity-overview.js";

const SESSIONS_MAX = 200;
const TASKS_MAX = 200;
const WAKES_DAYS = 7;

/**
 * Read it; the cards are shown without what cannot be read.
 * @param {HTMLElement} overview where the figures go
 * @returns {Promise<{others: import("./activity-model.js").Other[], trouble: unknown}>} `trouble` is null where all came
 */
export async function readBeside(overview) {
  try {
    const [{ sessions }, { wakes }, { lines }, { tasks }] = await Promise.all([
      get(`/world/sessions?limit=${SESSIONS_MAX}`),
      get(`/drives/history?days=${WAKES_DAYS}`),
      get("/grants/record"),
      get(`/tasks?limit=${TASKS_MAX}`),
    ]);
    await drawOverview(overview, sessions);
    return { others: othersOf(sessions, wakes, lines, tasks), trouble: null };
  } catch (trouble) {
    return { others: [], trouble };
  }
}
