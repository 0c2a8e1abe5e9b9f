/** What a card says: where it belongs, its text, how sure, its times; and who settled it, once somebody did. */

import { h, icon, setBroken, setText } from "../dom.js";
import { age, clock, fullTime, lasted, ms, percent, until } from "../format.js";
import { state } from "../state.js";
import { agentTitle, channelTitle, has, t } from "../words.js";
import { isUnreported } from "./history-model.js";
import { drawRuns } from "./runs.js";
import { isTest, promptOf, reasoningOf, titleOf, worded } from "./wordings.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("../state.js").Card} Card */
/** @typedef {import("../types").RepositoryView} RepositoryView */

const SOON_MS = 120_000;
const SECOND_MS = 1_000;
const COUNTED = /** @type {const} */ (["failed", "errors", "passed", "skipped"]);

export class CardFace {
  /** @param {Prediction} prediction */
  constructor(prediction) {
    this.labelId = `prompt-${prediction.id}`;
    this.prompt = h("p", { class: "prompt", id: this.labelId, dir: "auto" });
    this.place = h("bdi", null);
    this.branch = h("bdi", { class: "branch" });
    this.badges = h("span", { class: "badges" });
    this.why = h("p", { class: "why", dir: "auto" });
    this.asked = h("div", { class: "stack", hidden: true });
    this.runs = h("p", { class: "runs", dir: "ltr" });
    this.bar = h("span", null);
    this.sure = h("span", { class: "sure-words" });
    const meter = h("span", { class: "meter", aria: { hidden: true } }, this.bar);
    this.confidence = h("div", { class: "confidence" }, meter, this.sure);
    this.aged = h("time", null);
    this.waits = h("span", null);
    this.expiry = h("time", { class: "expiry" });
    this.origin = h("span", null);
    this.quotes = h("span", { class: "quotes" });
    this.settled = h("div", { class: "settled", hidden: true });
    this.root = this.#whole();
    this.shown = "";
    this.#fill(prediction);
  }

  #whole() {
    const place = h("span", { class: "place" }, this.place, this.branch);
    return h(
      "div",
      { class: "face" },
      h("div", { class: "row face-head" }, place, this.badges),
      this.prompt,
      this.asked,
      this.runs,
      this.why,
      this.confidence,
      h("p", { class: "facts dotted" }, this.aged, this.expiry, this.waits, this.origin, this.quotes),
    );
  }

  /**
   * Show what an agent asks leave for.
   * @param {string} sentence in place of the prompt
   * @param {(Node | null)[]} parts
   */
  ask(sentence, parts) {
    setBroken(this.prompt, sentence);
    this.show(parts);
  }

  /** Show more of what a yes is about, below the prompt. @param {(Node | null)[]} parts */
  show(parts) {
    this.asked.replaceChildren(...parts.filter((part) => part !== null));
    this.asked.hidden = !parts.length;
  }

  /**
   * @param {Card} card
   * @param {number} now ms
   */
  update({ prediction }, now) {
    if (prediction.cardHash !== this.shown) this.#fill(prediction);
    const { name, branch } = placeOf(prediction, state.get().repositories);
    setText(this.place, name);
    setText(this.branch, branch);
    const left = ms(prediction.expiresAt) - now;
    setText(this.waits, heldWords(prediction));
    this.waits.hidden = !this.waits.textContent;
    setText(this.aged, age(prediction.createdAt, now));
    setText(this.expiry, left > 0 ? t("card.expires", { left: until(prediction.expiresAt, now) }) : t("card.expired"));
    this.expiry.classList.toggle("soon", left > 0 && left < SOON_MS);
    if (prediction.status !== "pending" || left <= 0) this.#settle(prediction);
  }

  /** @param {Prediction} prediction */
  #fill(prediction) {
    this.shown = prediction.cardHash;
    this.badges.replaceChildren(...badgesOf(prediction));
    setBroken(this.prompt, promptOf(prediction));
    setText(this.why, whyOf(prediction));
    this.why.hidden = !this.why.textContent;
    drawRuns(this.runs, prediction);
    this.runs.hidden = !prediction.runs;
    this.confidence.hidden = !isGuess(prediction);
    this.bar.style.width = `${Math.round(prediction.confidence * 100)}%`;
    setText(this.sure, sureOf(prediction));
    stamp(this.aged, prediction.createdAt);
    stamp(this.expiry, prediction.expiresAt);
    setText(this.origin, originOf(prediction));
    setText(this.quotes, quotesOf(prediction));
    [this.origin, this.quotes].forEach((part) => (part.hidden = !part.textContent));
  }

  /** @param {Prediction} prediction */
  #settle(prediction) {
    const words = settledWords(prediction);
    if (this.settled.dataset.words === words) return;
    const mark = markOf(prediction);
    Object.assign(this.settled.dataset, { words, mark });
    this.settled.replaceChildren(icon(mark), h("span", null, words));
    if (prediction.asked) this.ask(ranOf(prediction), [h("p", { class: "note", dir: "auto" }, askedOf(prediction))]);
  }
}

/** What ran, where a person had other words run; else the card's text. @param {Prediction} prediction */
export const ranOf = (prediction) => (prediction.asked ? t("card.ran", { text: prediction.prompt }) : titleOf(prediction));

/** What was asked, where a person had other words run. @param {Prediction} prediction */
export const askedOf = ({ asked }) => (asked ? t("card.asked", { text: asked }) : "");

/** Why a card is there, in one sentence; empty where nobody said. @param {Prediction} prediction */
export const whyOf = (prediction) => (isTest(prediction) ? t("permission.test") : prediction.permission ? reasonOf(prediction.permission) : reasoningOf(prediction));

/** An agent's reason, as its own words. @param {import("../types").Permission} permission */
function reasonOf({ agent, reason }) {
  return reason ? t("permission.reason", { agent: agentTitle(agent), reason }) : "";
}

/** @param {HTMLTimeElement} time @param {string} moment */
function stamp(time, moment) {
  time.dateTime = moment;
  time.title = fullTime(moment);
}

/**
 * Where a card belongs: the repository that it would be done in, with its branch, who asks, or what kind of work it is.
 * @param {Prediction} prediction
 * @param {readonly RepositoryView[]} repositories
 * @returns {{name: string, branch: string}}
 */
export function placeOf(prediction, repositories) {
  const { source, targetAgent } = prediction;
  return source === "ask" ? { name: t("card.asks", { name: agentTitle(targetAgent) }), branch: "" } : projectOf(prediction, repositories);
}

/**
 * The project that a card is about, with its branch; of an agent's request, the one that it works in.
 * @param {Prediction} prediction
 * @param {readonly RepositoryView[]} repositories
 * @returns {{name: string, branch: string}} without a name where a question belongs nowhere
 */
export function projectOf(prediction, repositories) {
  const { source, targetChannel, repository, branch } = prediction;
  const folder = folderOf(prediction, repositories);
  if (!folder && repository) return { name: repository, branch: branch ?? "" }; // it cannot be told what would run there
  if (!folder) return { name: source === "ask" ? "" : channelTitle(targetChannel), branch: "" };
  const found = repositories.find(({ path }) => folder === path || folder.startsWith(`${path}/`));
  return { name: found?.name ?? folder.split("/").at(-1) ?? "", branch: found?.branch ?? "" };
}

/** @param {Prediction} prediction @param {readonly RepositoryView[]} repositories @returns {string} where it runs; empty where that is not known */
function folderOf({ runs, permission }, repositories) {
  return permission?.folder || runs?.folder || (runs && repositories.length === 1 ? repositories[0].path : "");
}

/**
 * Whether there is a figure of how sure an idea is: a question has none, and none was learnt before the first answers.
 * @param {Prediction} prediction
 * @returns {boolean}
 */
export function isGuess({ source, confidenceLearnt }) {
  return source !== "ask" && confidenceLearnt === true;
}

/**
 * How sure an idea is, in words: by the answers to the like, where there are any.
 * @param {Prediction} prediction
 * @returns {string}
 */
export function sureOf({ confidence, likelihood }) {
  const { yes = 0, answers = 0 } = likelihood ?? {};
  return answers ? t("card.like", { yes, answers }) : t("card.sure", { percent: percent(confidence) });
}

/**
 * What a card waits for that nobody was told of yet.
 * @param {Prediction} prediction
 * @returns {string} empty where it does not wait
 */
export function heldWords({ held, status }) {
  if (!held || status !== "pending") return "";
  return t(held.until === "breakpoint" && state.get().status?.quiet ? "card.held-quiet" : `card.held-${held.until}`);
}

/**
 * Who had the idea, where that was not Pulse itself.
 * @param {Prediction} prediction
 * @returns {string}
 */
export function originOf({ source }) {
  return source === "twin-model" || source === "predictor-hook" ? t(`source.${source}`) : "";
}

/**
 * Why a card is never run without a person, where that lies in its words.
 * @param {Prediction} prediction
 * @returns {string} empty where it does not
 */
export function quotesOf({ source, origin, quotes = [] }) {
  if (source === "ask") return "";
  if (origin === "model") return t("card.reworded");
  return quotes.length ? t("card.quotes", { sources: quotes.map((one) => t(`quoted.${one}`)).join(", ") }) : "";
}

/**
 * What came of a run, in one line and in this language: `1,991 passed in 14 s`.
 * @param {import("../types").WorkResult} result
 * @returns {string}
 */
export function resultWords({ ended, summary, summaryWorded, tests, durationS }) {
  const counted = tests ? COUNTED.filter((name) => tests[name] > 0).map((name) => t(`result.${name}`, { count: tests[name] })) : [];
  if (!counted.length) return worded(summaryWorded, summary) || t(`result.ended-${ended}`);
  return counted.join(", ") + tookWords(durationS);
}

/** @param {number | null} seconds @returns {string} */
function tookWords(seconds) {
  if (seconds === null) return "";
  return ` ${seconds < 1 ? t("result.took-no-time") : t("result.took", { span: lasted(seconds * SECOND_MS) })}`;
}

/** @param {Prediction} prediction @returns {"approve" | "reject" | "snooze"} */
function markOf({ settled, status }) {
  if (settled?.verb === "reject" || status === "rejected") return "reject";
  return ["confirmed", "executed"].includes(status) ? "approve" : "snooze";
}

/**
 * The badges of a card; a risky card always says so.
 * @param {Prediction} prediction
 * @returns {HTMLElement[]}
 */
export function badgesOf({ badges, risk }) {
  const plain = badges
    .filter((badge) => badge === "NEW")
    .map(() => h("span", { class: "badge accent" }, t("badge.NEW")));
  if (risk === "low") return plain;
  const isHigh = risk === "high";
  return [
    ...plain,
    h("span", { class: isHigh ? "badge bad" : "badge warn" }, isHigh ? icon("risk") : null, t(`risk.${risk}`)),
  ];
}

/**
 * Who settled a card, where and when, in words.
 * @param {Prediction} prediction
 * @param {string | number} [day] that the reader knows of; of another one it is named
 * @returns {string} for example `You approved it on Anna’s phone · 14:02`
 */
export function settledWords({ settled, status, statusReason, outcomeWorded }, day = Date.now()) {
  if (statusReason === "passed") return t("status.passed");
  if (!settled || (statusReason === "overruled" && !isUnreported({ status, outcomeWorded }))) {
    return t(status === "confirmed" ? "settled.rails" : status === "pending" ? "card.expired" : `status.${status}`);
  }
  const isOther = settled.by !== state.get().session?.user && settled.by !== "me";
  const who = isOther ? t("settled.somebody", { name: settled.by }) : t("settled.you");
  return `${t(`settled.${settled.verb}`, { who, where: whereOf(settled) })} · ${clock(settled.at, day)}`;
}

/** @param {Pick<import("../types").Settlement, "surface" | "device">} place @returns {string} */
export function whereOf({ surface, device }) {
  const { session, titles } = state.get();
  if (surface === "browser" && device === session?.device) return t("surface.here");
  const title = titles[`${surface}/${device}`];
  if (title && surface !== "terminal") return t(surface === "browser" ? "surface.inside" : "surface.named", { name: title });
  return has(`surface.${surface}`) ? t(`surface.${surface}`) : t("surface.named", { name: surface });
}
