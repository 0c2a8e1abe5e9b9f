/** All open cards as a list: one key or tap each, or several at once with one undo. */

import { holdAll } from "../answers.js";
import { announce, h, icon, setBroken, setText } from "../dom.js";
import { age, until } from "../format.js";
import { phaseOf, state } from "../state.js";
import { t } from "../words.js";
import { badgesOf, heldWords, placeOf, settledWords } from "./face.js";
import { drawRuns } from "./runs.js";
import { verbOfKey } from "./gestures.js";
import { StopNote, isHeld } from "./stopped.js";
import { needStyles } from "./styles.js";
import { promptOf } from "./wordings.js";

/** @typedef {import("../state.js").Card} Card */
/** @typedef {import("../answers.js").Input} Input */

await needStyles("list.css");

const STEPS = new Map([["ArrowDown", 1], ["j", 1], ["ArrowUp", -1], ["k", -1]]);

export class CardList {
  /** @param {(id: string, verb: string, input: Input) => void} act what one card is answered with */
  constructor(act) {
    this.act = act;
    this.rows = h("ul", { class: "cards", role: "list" });
    this.count = h("span", { class: "grow facts" });
    this.all = h("input", { type: "checkbox", aria: { label: t("list.all") }, on: { change: () => this.#chooseAll(this.all.checked) } });
    this.yes = h("button", { type: "button", class: "small main", dataset: { starts: "" }, on: { click: () => this.#answerChosen("approve", "tap") } }, icon("approve"), t("card.approve"));
    this.no = h("button", { type: "button", class: "small", on: { click: () => this.#answerChosen("reject", "tap") } }, icon("reject"), t("card.reject"));
    this.bar = h("div", { class: "row list-bar" }, this.all, this.count, this.no, this.yes);
    this.stop = new StopNote("held-list");
    this.root = h("div", { class: "list" }, this.stop.root, this.bar, this.rows);
    /** @type {Map<string, Row>} */
    this.views = new Map();
    this.rows.addEventListener("keydown", (event) => this.#onKey(event));
  }

  /** @param {Card[]} cards */
  update(cards) {
    const ids = new Set(cards.map(({ prediction }) => prediction.id));
    const at = this.#focusedPlace();
    for (const [id, row] of this.views) {
      if (ids.has(id)) continue;
      row.root.remove();
      this.views.delete(id);
    }
    cards.forEach((card, place) => {
      const row = this.#rowOf(card);
      row.update(card);
      if (this.rows.children[place] !== row.root) this.rows.insertBefore(row.root, this.rows.children[place] ?? null);
    });
    if (at >= 0 && !this.rows.contains(document.activeElement)) this.#focus(Math.min(at, cards.length - 1));
    this.#drawBar();
    this.stop.update(this.root);
  }

  /** The first key goes into the list; from there on keys are for the row that has the focus. */
  focusFirst() {
    this.#focus(0);
  }

  /** @returns {Card[]} those that are chosen and can still be answered */
  get chosen() {
    return [...this.views.values()].filter((row) => row.isChosen).map((row) => row.card);
  }

  /** @returns {Map<HTMLElement, string>} what can be answered, and what exactly each shows */
  get answerable() {
    return new Map([...this.views.values()].map(({ root, card }) => [root, card.prediction.cardHash]));
  }

  /** @param {Card} card */
  #rowOf(card) {
    const { id } = card.prediction;
    const row = this.views.get(id) ?? new Row(card, (verb) => this.act(id, verb, "tap"), () => this.#drawBar());
    this.views.set(id, row);
    return row;
  }

  #drawBar() {
    const { length } = this.chosen;
    setText(this.count, length ? t("list.chosen", { count: length }) : t("list.hint"));
    this.yes.disabled = this.no.disabled = length === 0;
    this.all.indeterminate = length > 0 && length < this.views.size;
    this.all.checked = length > 0 && length === this.views.size;
  }

  /** @param {boolean} isChosen */
  #chooseAll(isChosen) {
    for (const row of this.views.values()) row.choose(isChosen);
    this.#drawBar();
  }

  /** @param {"approve" | "reject"} verb @param {Input} input */
  #answerChosen(verb, input) {
    if (isHeld(verb)) return;
    const { fit, alone } = inOne(this.chosen.map(({ prediction }) => prediction), verb);
    this.#chooseAll(false);
    if (fit.length) holdAll(fit, input, verb);
    if (alone.length) announce(t("list.risky", { count: alone.length }));
    alone.forEach(({ id }) => this.views.get(id)?.choose(true));
    this.#drawBar();
  }

  /** @param {KeyboardEvent} event */
  #onKey(event) {
    const at = this.#focusedPlace();
    const row = [...this.rows.children][at];
    if (at < 0 || event.target !== row || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS.get(event.key) ?? 0;
    if (step) this.#focus(at + step);
    else if (!this.#onVerb(/** @type {HTMLElement} */ (row).dataset.id ?? "", event.key)) return;
    event.preventDefault();
    event.stopPropagation();
    this.#drawBar();
  }

  /** @param {string} id of the row that has the focus @param {string} key @returns {boolean} whether it was ours */
  #onVerb(id, key) {
    const verb = key === "Enter" ? "details" : verbOfKey(key, false);
    const isAnswer = verb === "approve" || verb === "reject";
    if (key === " " || key === "x") this.views.get(id)?.toggle();
    else if (isAnswer && this.chosen.length) this.#answerChosen(verb, "key");
    else if (verb && verb !== "undo") this.act(id, verb, "key");
    else return false;
    return true;
  }

  /** @returns {number} -1 where no row has the focus */
  #focusedPlace() {
    return [...this.rows.children].findIndex((row) => row.contains(document.activeElement));
  }

  /** @param {number} place */
  #focus(place) {
    const row = this.rows.children[Math.max(0, Math.min(place, this.rows.children.length - 1))];
    if (row instanceof HTMLElement) row.focus();
  }
}

/**
 * Part what may be answered together from what wants a yes of its own.
 * @param {import("../types").Prediction[]} predictions
 * @param {"approve" | "reject"} verb
 */
export function inOne(predictions, verb) {
  const isAlone = (/** @type {import("../types").Prediction} */ { risk, permission }) => verb === "approve" && (risk === "high" || Boolean(permission));
  return { fit: predictions.filter((one) => !isAlone(one)), alone: predictions.filter(isAlone) };
}

class Row {
  /** @param {Card} card @param {(verb: string) => void} act @param {() => void} onChoice */
  constructor(card, act, onChoice) {
    const { prediction } = card;
    this.card = card;
    const isQuestion = prediction.source === "ask";
    this.box = h("input", { type: "checkbox", tabindex: "-1", aria: { label: t("list.choose", { prompt: promptOf(prediction) }) }, on: { change: onChoice } });
    this.prompt = h("p", { class: "prompt", dir: "auto" });
    this.facts = h("p", { class: "facts dotted" });
    const button = (/** @type {string} */ verb, /** @type {string} */ words) =>
      h("button", { type: "button", class: "bare round", title: words, dataset: { verb, ...(verb === "approve" && { starts: "" }) }, aria: { label: words }, on: { click: () => act(verb) } }, icon(verb));
    this.acts = h("div", { class: "row acts" }, button("reject", t(isQuestion ? "card.no" : "card.reject")), button("details", t("card.details")), button("approve", t(isQuestion ? "card.yes" : prediction.runs?.problem ? "card.look-again" : "card.approve")));
    this.runs = h("p", { class: "runs", dir: "ltr" });
    const texts = h("div", { class: "grow" }, this.prompt, this.runs, this.facts);
    this.root = h("li", { class: "card-row", tabindex: "0", dataset: { id: prediction.id, source: prediction.source }, aria: { label: promptOf(prediction) } }, this.box, texts, h("span", { class: "badges" }, badgesOf(prediction)), this.acts);
  }

  get isChosen() {
    return this.box.checked && phaseOf(this.card, Date.now()) === "open";
  }

  /** @param {boolean} isChosen */
  choose(isChosen) {
    this.box.checked = isChosen;
  }

  toggle() {
    this.choose(!this.box.checked);
  }

  /** @param {Card} card */
  update(card) {
    this.card = card;
    const { prediction } = card;
    const now = Date.now();
    const isOpen = phaseOf(card, now) === "open";
    const { name, branch } = placeOf(prediction, state.get().repositories);
    const times = isOpen ? `${age(prediction.createdAt, now)} · ${t("card.expires", { left: until(prediction.expiresAt, now) })}` : settledWords(prediction);
    setBroken(this.prompt, promptOf(prediction));
    drawRuns(this.runs, prediction);
    this.runs.hidden = !prediction.runs;
    setText(this.facts, [name, branch, heldWords(prediction), times].filter(Boolean).join(" · "));
    this.root.dataset.phase = isOpen ? "open" : "over";
    this.acts.hidden = this.box.disabled = !isOpen;
  }
}
