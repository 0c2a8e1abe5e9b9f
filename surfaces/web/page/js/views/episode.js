/** An episode: one suggestion from signal to result, step by step, with what its runs put out. */

import { get } from "../api.js";
import { h, replace } from "../dom.js";
import { clock, percent, usd } from "../format.js";
import { state } from "../state.js";
import { agentTitle, channelTitle, t } from "../words.js";
import { runCards, timeline } from "./episode-parts.js";
import { askedOf, isGuess, placeOf, ranOf, settledWords } from "./face.js";
import { fateBadge } from "./history-row.js";
import { backLink } from "./part-head.js";
import { needStyles } from "./styles.js";
import { troubleNote } from "./trouble-note.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("../types").WhyAnswer} WhyAnswer */
/** @typedef {import("../types").RunView} RunView */

const CALM_MS = 150;

await needStyles("views.css", "history.css");

/**
 * @param {HTMLElement} root
 * @param {string} id of the suggestion
 * @returns {() => void}
 */
export function mountEpisode(root, id) {
  const body = h("div", { class: "episode-body", aria: { busy: true } });
  let isGone = false;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let planned;

  async function load() {
    planned = undefined;
    try {
      const path = `/predictions/${encodeURIComponent(id)}`;
      const [why, { runs }] = await Promise.all([get(`${path}/why`), get(`${path}/runs`)]);
      if (!isGone) replace(body, ...content(why, runs));
    } catch (error) {
      if (!isGone && !body.querySelector("h1")) replace(body, troubleNote(error, () => void load()));
    }
    body.removeAttribute("aria-busy");
  }

  root.append(h("article", { class: "episode" }, backLink(), body));
  void load();
  const unwatch = onChange(id, () => (planned ??= setTimeout(() => void load(), CALM_MS)));
  return () => {
    isGone = true;
    clearTimeout(planned);
    unwatch();
  };
}

/**
 * Call back when the hub tells something new of this card.
 * @param {string} id
 * @param {() => void} then
 */
function onChange(id, then) {
  let seen = state.get().cards[id]?.prediction;
  return state.watch(({ cards }) => {
    const now = cards[id]?.prediction;
    if (now === seen) return;
    seen = now;
    then();
  });
}

/**
 * @param {WhyAnswer} why
 * @param {RunView[]} runs
 */
function content({ prediction, steps }, runs) {
  return [
    head(prediction),
    h("section", { class: "panel" }, h("h2", null, t("episode.steps")), timeline(steps)),
    runs.length > 0 && h("section", { class: "panel" }, h("h2", null, t("episode.runs")), runCards(runs)),
  ];
}

/** @param {Prediction} card */
function head(card) {
  return h(
    "header",
    { class: "episode-head stack" },
    h("div", { class: "row wrap" }, fateBadge(card), card.risk !== "low" && riskBadge(card), card.settled && h("span", { class: "facts" }, settledWords(card))),
    h("h1", { dir: "auto" }, ranOf(card)),
    card.asked && h("p", { class: "episode-outcome", dir: "auto" }, askedOf(card)),
    card.outcome && h("p", { class: "episode-outcome", dir: "auto" }, worded(card.outcomeWorded, card.outcome)),
    facts(card),
    card.status === "pending" && h("div", null, h("a", { class: "button", href: `#card=${card.id}` }, t("episode.answer"))),
  );
}

/** @param {Prediction} card */
function riskBadge({ risk }) {
  return h("span", { class: `badge ${risk === "high" ? "bad" : "warn"}` }, t(`episode.risk-${risk}`));
}

/** @param {Prediction} card */
function facts(card) {
  /** @type {[string, string][]} */
  const pairs = [
    [t("episode.place"), Object.values(placeOf(card, state.get().repositories)).filter(Boolean).join(" · ")],
    [t("episode.channel"), channelTitle(card.targetChannel)],
    [t("episode.agent"), agentTitle(card.targetAgent)],
    ...(isGuess(card) ? estimates(card) : []),
    [t("episode.source"), t(`episode.source-${card.source}`)],
    [t("episode.made"), clock(card.createdAt, Date.now())],
  ];
  return h("dl", { class: "episode-facts" }, pairs.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

/** @param {Prediction} card @returns {[string, string][]} */
function estimates({ confidence, costEstimateUsd }) {
  return [
    [t("episode.confidence"), percent(confidence)],
    ...(costEstimateUsd > 0 ? [/** @type {[string, string]} */ ([t("episode.estimate"), usd(costEstimateUsd)])] : []),
  ];
}
