/** Several requests of one agent that are alike: one card that lists them, each with its own yes and no, or one for all. */

import { answer, say } from "../answers.js";
import { announce, h, icon, setText } from "../dom.js";
import { until } from "../format.js";
import { phaseOf } from "../state.js";
import { agentTitle, t } from "../words.js";
import { askedOf, ranOf, settledWords } from "./face.js";
import { asked } from "./permission.js";
import { StopNote, isHeld } from "./stopped.js";
import { needStyles } from "./styles.js";
import { sentence } from "./wordings.js";

/** @typedef {import("../state.js").Card} Card */
/** @typedef {import("../answers.js").Input} Input */
/** @typedef {import("../together.js").Pile} Pile */

await needStyles("permission.css");

/** After the list has changed, an answer within this time was meant for something else. */
export const SETTLING_MS = 600;

export class AlikeView {
  /** @param {Pile} pile */
  constructor(pile) {
    const labelId = `title-${pile.id}`;
    this.title = h("p", { class: "prompt", id: labelId, dir: "auto" });
    this.rows = h("ul", { class: "stack alike", role: "list" });
    this.more = h("p", { class: "facts", hidden: true });
    this.noWords = h("span", null);
    this.no = h("button", { type: "button", dataset: { verb: "reject" }, on: { click: () => this.act("reject", "tap") } }, icon("reject"), this.noWords);
    this.yesWords = h("span", null);
    this.yes = h("button", { type: "button", class: "main", dataset: { verb: "approve" }, on: { click: () => this.act("approve", "tap") } }, icon("approve"), this.yesWords);
    this.expiry = h("p", { class: "facts" });
    const face = h("div", { class: "face" }, this.title, this.rows, this.more, this.expiry);
    this.stop = new StopNote(`held-${pile.id}`);
    const buttons = h("div", { class: "answers" }, this.no, this.yes);
    this.root = h("article", { class: "card", dataset: { id: pile.id }, tabindex: "0", aria: { labelledby: labelId } }, face, this.stop.root, buttons);
    /** @type {Map<string, HTMLElement>} the rows, by what exactly each shows */
    this.drawn = new Map();
    /** @type {Card[]} what is listed and open */
    this.listed = [];
    this.readyAt = 0;
    this.update(pile);
  }

  /** @returns {string} what exactly it shows, so that it is seen before it is answered */
  get shows() {
    return this.listed.map(nameOf).join();
  }

  /** @returns {string} */
  get prompt() {
    return this.title.textContent ?? "";
  }

  /** @param {Pile} pile as it is now */
  update({ cards, more }) {
    const open = cards.filter((card) => phaseOf(card, Date.now()) === "open");
    const before = this.shows;
    this.listed = open;
    this.#drawRows(cards);
    const [first] = cards;
    const count = open.length;
    setText(this.title, t("alike.title", { agent: agentTitle(first.prediction.permission?.agent ?? ""), count: count + more }));
    setText(this.more, t("alike.more", { count: more }));
    this.more.hidden = !more;
    const [ends] = open.map(({ prediction }) => prediction.expiresAt).sort();
    setText(this.expiry, ends ? t("alike.expires", { left: until(ends, Date.now()) }) : "");
    setText(this.noWords, t("alike.no", { count })); // the buttons stay as they are: one may be held down just now
    setText(this.yesWords, t("alike.yes", { count }));
    this.stop.update(this.root);
    if (this.shows !== before) this.#settle();
  }

  /**
   * Answer all that are listed; what came later is not among them.
   * @param {string} verb
   * @param {Input} input
   */
  act(verb, input) {
    if ((verb !== "approve" && verb !== "reject") || isHeld(verb)) return;
    if (!this.#isReady) return announce(t("alike.changed"));
    if (input === "key" && !this.#isSeenToItsEnd()) return announce(t("deck.unseen", { prompt: this.prompt }));
    const { listed } = this;
    const count = listed.length;
    listed.forEach(({ prediction }) => void answer(prediction, verb, input, {}, { count }));
    say(t(`told.several-${verb}`, { count }));
  }

  /** @param {Card[]} cards */
  #drawRows(cards) {
    const rows = cards.map((card) => this.#rowOf(card));
    for (const [name, row] of this.drawn) {
      if (!rows.includes(row)) this.drawn.delete(name);
    }
    const isSame = rows.length === this.rows.children.length && rows.every((row, place) => this.rows.children[place] === row);
    if (!isSame) this.rows.replaceChildren(...rows);
  }

  /** @param {Card} card @returns {HTMLElement} */
  #rowOf(card) {
    const name = `${nameOf(card)} ${phaseOf(card, Date.now())}`;
    const row = this.drawn.get(name) ?? this.#newRow(card);
    this.drawn.set(name, row);
    return row;
  }

  /** @param {Card} card @returns {HTMLElement} */
  #newRow(card) {
    const { prediction } = card;
    const { permission } = prediction;
    const lead = permission ? h("p", { class: "facts", dir: "auto" }, sentence(permission)) : null;
    const reason = permission?.reason ? h("p", { class: "why", dir: "auto" }, t("permission.reason", { agent: agentTitle(permission.agent), reason: permission.reason })) : null;
    const end = phaseOf(card, Date.now()) === "open" ? this.#buttons(card) : h("p", { class: "facts" }, settledWords(prediction));
    const changed = [ranOf(prediction), askedOf(prediction)].map((text) => h("p", { class: "mono", dir: "auto" }, text));
    const shown = prediction.asked ? changed : permission ? asked(permission) : null;
    return h("li", { class: "stack", dataset: { id: prediction.id } }, lead, shown, reason, end);
  }

  /** @param {Card} card */
  #buttons({ prediction }) {
    const give = (/** @type {"approve" | "reject"} */ verb) => isHeld(verb) || (this.#isReady ? void answer(prediction, verb, "tap") : announce(t("alike.changed")));
    const no = h("button", { type: "button", class: "small", dataset: { verb: "reject" }, on: { click: () => give("reject") } }, icon("reject"), t("card.no"));
    const yes = h("button", { type: "button", class: "small", dataset: { verb: "approve" }, on: { click: () => give("approve") } }, icon("approve"), t("card.yes"));
    const apart = () => dispatchEvent(new CustomEvent("pulse:front", { detail: prediction.id }));
    const more = h("button", { type: "button", class: "small bare", on: { click: apart } }, t("alike.apart"));
    return h("div", { class: "row end" }, more, no, yes);
  }

  /** A key answers nothing below the edge of the window: its end is brought into sight instead. */
  #isSeenToItsEnd() {
    if (this.yes.getBoundingClientRect().top < innerHeight) return true;
    this.yes.scrollIntoView({ block: "end" });
    return false;
  }

  get #isReady() {
    return Date.now() >= this.readyAt;
  }

  /** What has just changed is looked at before it is answered: a finger may be on its way. */
  #settle() {
    this.readyAt = Date.now() + SETTLING_MS;
    this.root.classList.add("settling");
    setTimeout(() => this.root.classList.toggle("settling", !this.#isReady), SETTLING_MS);
  }
}

/** @param {Card} card @returns {string} what exactly is shown of it */
function nameOf({ prediction }) {
  return `${prediction.id} ${prediction.cardHash} ${prediction.round}`;
}
