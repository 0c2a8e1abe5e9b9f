/**
 * Asks for what every start needs while the other scripts are still on their way. Each answer is taken once.
 * A browser that is not signed in asks the hub for nothing: it knows the answer, and a refusal would stand on its console.
 */
/* global PulseSession */

import "./shared/session.js";

/** @type {Map<string, Promise<Response>>} */
const asked = new Map();

const language = localStorage.getItem("pulse.lang") ?? navigator.language.split("-")[0];
for (const path of ["/api/v1/session", "/api/v1/sync", `/app/words/${encodeURIComponent(language)}.json`]) {
  const answer = path.startsWith("/api") ? asSignedIn(path) : fetch(path);
  answer.catch(() => {}); // whoever takes it sees the failure
  asked.set(path, answer);
}

/** @param {string} path @returns {Promise<Response>} the hub's answer, or what it would say to nobody */
async function asSignedIn(path) {
  if (await PulseSession.isSignedIn()) return PulseSession.signed(path, { cache: "no-store" });
  return Response.json({ status: 401, code: "not-signed-in", detail: "" }, { status: 401 });
}

/**
 * Take what was asked for early.
 * @param {string} path
 * @returns {Promise<Response> | undefined} nothing when it was not asked for, or was taken before
 */
export function early(path) {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
}
