/** One row of the history: what was suggested, what became of it, where, when and by whom. */

import { h, icon } from "../dom.js";
import { clock, fullTime, percent } from "../format.js";
import { state } from "../state.js";
import { t } from "../words.js";
import { askedOf, isGuess, placeOf, ranOf, settledWords } from "./face.js";
import { coded } from "./coded.js";
import { fateOf, ranAt } from "./history-model.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("./history-model.js").Fate} Fate */

/** @type {Record<Fate, {tone: string, icon: string}>} */
const LOOKS = {
  pending: { tone: "accent", icon: "details" },
  snoozed: { tone: "", icon: "snooze" },
  confirmed: { tone: "accent", icon: "hour" },
  running: { tone: "accent", icon: "play" },
  answered: { tone: "good", icon: "approve" },
  executed: { tone: "good", icon: "approve" },
  failed: { tone: "bad", icon: "risk" },
  "handed-over": { tone: "", icon: "hour" },
  ignored: { tone: "", icon: "risk" },
  mended: { tone: "good", icon: "approve" },
  rejected: { tone: "", icon: "reject" },
  expired: { tone: "", icon: "hour" },
  passed: { tone: "", icon: "hour" },
  blocked: { tone: "warn", icon: "stop" },
  cancelled: { tone: "", icon: "stop" },
  unreported: { tone: "warn", icon: "approve" },
};

/** What an agent asked leave for is over once a person said yes: it does the rest itself, and nothing is waited for. */
const LET = { tone: "good", icon: "approve" };

/**
 * @param {Prediction} row
 * @param {Fate} fate
 */
function looksOf(row, fate) {
  return fate === "confirmed" && row.permission ? LET : LOOKS[fate];
}

/**
 * @param {Prediction} row
 * @returns {HTMLAnchorElement} a link to the row's episode
 */
export function historyRow(row) {
  const fate = fateOf(row, Date.now());
  return h(
    "a",
    { class: "past", href: `#/activity/story/${encodeURIComponent(row.id)}`, dataset: { id: row.id, fate } },
    h("span", { class: `past-mark ${looksOf(row, fate).tone}` }, icon(looksOf(row, fate).icon)),
    h(
      "span",
      { class: "past-text" },
      h("span", { class: "past-prompt", dir: "auto" }, ranOf(row)),
      row.asked && h("span", { class: "past-outcome facts", dir: "auto" }, askedOf(row)),
      h("span", { class: "facts" }, h("time", { datetime: row.createdAt, title: fullTime(row.createdAt) }, clock(row.createdAt)), factsOf(row, fate)),
      row.outcome && row.outcome !== row.prompt && h("span", { class: "past-outcome facts", dir: "auto" }, row.outcomeWorded?.code === "over.gone" ? t("history.unknown") : coded(worded(row.outcomeWorded, row.outcome))),
    ),
  );
}

/** Where nobody was asked, nobody approved. @param {Prediction} row @param {Fate} fate */
function fateWords({ permission, statusReason }, fate) {
  return t(fate === "confirmed" && permission && statusReason === "auto-approved" ? "activity.permitted" : `history.fate-${fate}`);
}

/**
 * @param {Prediction} row
 * @returns {HTMLElement} what became of it, as a badge
 */
export function fateBadge(row) {
  const fate = fateOf(row, Date.now());
  return h("span", { class: `badge ${looksOf(row, fate).tone}` }, icon(looksOf(row, fate).icon), fateWords(row, fate));
}

/**
 * @param {Prediction} row
 * @param {Fate} fate
 */
function factsOf(row, fate) {
  const sure = isGuess(row) ? t("history.sure", { share: percent(row.confidence) }) : "";
  const { name } = placeOf(row, state.get().repositories);
  const at = ranAt(row, fate);
  const ended = at ? `${fateWords(row, fate)} ${clock(at, row.createdAt)}` : fateWords(row, fate);
  const answered = row.settled && row.statusReason !== "overruled" ? settledWords(row, row.createdAt) : "";
  return [ended, name, sure, answered].filter((one) => one !== "").map((one) => ` · ${one}`);
}
