/** An episode: why there was a suggestion, what ran and came of it, what it cost; and folded, each step from signal to result. */

import { coded } from "./coded.js";
import { get } from "../api.js";
import { broken, h, replace } from "../dom.js";
import { clock, percent, usd } from "../format.js";
import { state } from "../state.js";
import { agentTitle, channelTitle, t } from "../words.js";
import { runCards, timeline } from "./episode-parts.js";
import { askedOf, isGuess, projectOf, ranOf, settledWords, whyOf } from "./face.js";
import { fateBadge } from "./history-row.js";
import { backLink } from "./part-head.js";
import { needStyles } from "./styles.js";
import { troubleNote } from "./trouble-note.js";
import { isTest, summaryOf, worded } from "./wordings.js";

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
      if (isGone) return;
      const before = body.querySelector(".episode-details");
      replace(body, ...content(why, runs, before instanceof HTMLDetailsElement ? before.open : runs.length === 0));
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
 * @param {boolean} isOpen whether the steps are unfolded
 */
function content({ prediction, steps }, runs, isOpen) {
  return [
    head(prediction, runs),
    runs.length > 0 && h("section", { class: "panel" }, h("h2", null, t("episode.runs")), runCards(runs)),
    h("details", { class: "panel episode-details", open: isOpen }, h("summary", null, h("h2", null, t("details.title"))), factList(about(prediction)), h("h3", null, t("episode.steps")), timeline(steps)),
  ];
}

/** @param {Prediction} card @param {RunView[]} runs */
function head(card, runs) {
  const why = isTest(card) ? "" : whyOf(card); // its title says it
  return h(
    "header",
    { class: "episode-head stack" },
    h("div", { class: "row wrap" }, fateBadge(card), card.risk !== "low" && riskBadge(card), card.settled && h("span", { class: "facts" }, settledWords(card))),
    h("h1", { dir: "auto" }, ranOf(card)),
    why && h("p", { class: "episode-why", dir: "auto" }, h("strong", null, t("details.reasoning")), `: ${why}`),
    runs.length > 0 && card.runs?.summary && h("p", { class: "episode-ran" }, h("strong", null, t("episode.ran")), ": ", h("code", { class: "mono", dir: "ltr" }, broken(summaryOf(card.runs)))),
    card.asked && h("p", { class: "episode-outcome", dir: "auto" }, askedOf(card)),
    card.outcome && h("p", { class: "episode-outcome", dir: "auto" }, coded(worded(card.outcomeWorded, card.outcome))),
    factList(facts(card, runs)),
    card.status === "pending" && h("div", null, h("a", { class: "button", href: "#/", on: { click: () => inFront(card.id) } }, t("episode.answer"))),
  );
}

/** It is answered where it is shown whole, with its yes and no: once the inbox is there, it lies in front. @param {string} id */
function inFront(id) {
  addEventListener("pulse:view", () => {
    dispatchEvent(new CustomEvent("pulse:front", { detail: id }));
    document.querySelector(`.card[data-id="${CSS.escape(id)}"]`)?.scrollIntoView({ block: "nearest" });
    /** @type {HTMLElement | null} */ (document.querySelector(`.card[data-id="${CSS.escape(id)}"]`))?.focus({ preventScroll: true });
  }, { once: true });
}

/** @param {Prediction} card */
function riskBadge({ risk }) {
  return h("span", { class: `badge ${risk === "high" ? "bad" : "warn"}` }, t(`episode.risk-${risk}`));
}

/** @typedef {[name: string, value: string]} Fact */

/** @param {Fact[]} pairs */
function factList(pairs) {
  return h("dl", { class: "episode-facts" }, pairs.map(([name, value]) => h("div", null, h("dt", null, name), h("dd", null, value))));
}

/** Where, who, when, and what it cost. @param {Prediction} card @param {RunView[]} runs @returns {Fact[]} */
function facts(card, runs) {
  const place = Object.values(projectOf(card, state.get().repositories)).filter(Boolean).join(" · ");
  return [
    ...(place ? [/** @type {Fact} */ ([t("episode.place"), place])] : []),
    [t("episode.agent"), agentTitle(card.targetAgent)],
    [t(card.source === "ask" ? "details.asked" : "episode.made"), clock(card.createdAt, Date.now())],
    ...(runs.length ? [/** @type {Fact} */ ([t("details.cost"), usd(runs.reduce((sum, { costUsd }) => sum + costUsd, 0))])] : []),
  ];
}

/** What only explains it. @param {Prediction} card @returns {Fact[]} */
function about(card) {
  return [
    [t("episode.channel"), channelTitle(card.targetChannel)],
    card.source === "ask" ? [t("details.asked-by"), agentTitle(card.targetAgent)] : [t("episode.source"), t(`episode.source-${card.source}`)],
    ...(isGuess(card) ? [/** @type {Fact} */ ([t("episode.confidence"), percent(card.confidence)])] : []),
    ...(isGuess(card) && card.costEstimateUsd > 0 ? [/** @type {Fact} */ ([t("episode.estimate"), usd(card.costEstimateUsd)])] : []),
  ];
}
