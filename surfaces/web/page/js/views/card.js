/** One card of the stack: what is suggested, for whom, how sure, until when, and the answers that a person can give. */

import { answer, hold } from "../answers.js";
import { announce, h, icon, isStill } from "../dom.js";
import { phaseOf } from "../state.js";
import { t } from "../words.js";
import { CardFace } from "./face.js";
import { lean, makeSwipeable } from "./gestures.js";
import { StopNote, isHeld } from "./stopped.js";
import { promptOf, sentence } from "./wordings.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("../state.js").Card} Card */
/** @typedef {import("../answers.js").Input} Input */

const BUZZ_MS = 12;
const FLY_MS = 260;
/** @type {Record<string, string>} */
const FLIES = { approve: "translate(120%, 0) rotate(9deg)", reject: "translate(-120%, 0) rotate(-9deg)" };
/** @type {Record<string, string>} */
const QUESTION = { approve: "card.yes", reject: "card.no" };
const STAMPS = ["approve", "reject", "snooze"];

/**
 * What draws what a card asks for: where it is here already, the card is drawn whole at once and does not grow.
 * @type {{permission: typeof import("./permission.js") | null, commit: typeof import("./commit.js") | null}}
 */
export const drawers = { permission: null, commit: null };

export class CardView {
  /** @param {Card} card */
  constructor(card) {
    this.card = card;
    this.face = new CardFace(card.prediction);
    this.buttons = answerButtons((verb) => this.act(verb, "tap"), card.prediction.source === "ask");
    this.stop = new StopNote(`held-${card.prediction.id}`);
    this.again = h("div", { class: "confirm", hidden: true, role: "group", aria: { label: t("card.confirm") } });
    /** @type {AbortController | null} while the second yes is asked for */
    this.asking = null;
    /** @type {HTMLElement | null} how an agent's request may be answered, beside yes and no */
    this.ways = null;
    this.isDrawn = false;
    this.drawnHash = "";
    this.root = h(
      "article",
      { class: "card", dataset: { id: card.prediction.id, source: card.prediction.source }, tabindex: "0", aria: { labelledby: this.face.labelId } },
      STAMPS.map((verb) => h("span", { class: `stamp ${verb}`, aria: { hidden: true } }, t(`card.${verb}`))),
      this.face.root,
      this.stop.root,
      this.buttons,
      this.again,
      this.face.settled,
    );
    makeSwipeable(this.root, {
      onVerb: (verb) => this.act(verb, "tap"),
      onLong: () => this.act("details", "tap"),
      isOpen: () => this.isOpen,
    });
    if (card.prediction.permission) void this.#drawAsked();
    void this.#drawCommit();
    if (isSuggestion(card.prediction)) this.face.root.firstElementChild?.append(this.#menuButton());
    this.update(card);
  }

  /** What an agent asks leave for; nothing is answered before it is there. */
  async #drawAsked() {
    const { prediction } = this.card;
    const isQuestion = prediction.permission?.act === "question";
    const approve = /** @type {HTMLButtonElement} */ (this.buttons.querySelector('[data-verb="approve"]'));
    approve.disabled = true;
    const { asked, waysToAnswer } = drawers.permission ?? (await import("./permission.js"));
    if (prediction.permission) this.face.ask(sentence(prediction.permission), asked(prediction.permission));
    this.ways = waysToAnswer(prediction, (verb, input, more) => this.act(verb, input, more));
    if (this.ways && isQuestion) this.buttons.before(this.ways);
    if (this.ways && !isQuestion) this.again.after(this.ways); // a yes, a no and the second yes stand right below what is asked
    if (this.ways) this.ways.hidden = !this.isOpen;
    this.stop.update(this.root);
    approve.hidden = isQuestion || prediction.permission?.dialogOnly === true;
    approve.disabled = false;
    this.isDrawn = true;
  }

  /** What would be committed, as it is with this hash of the card. */
  async #drawCommit() {
    const { prediction } = this.card;
    this.drawnHash = prediction.cardHash;
    if (prediction.permission || !prediction.runs?.commit) return;
    const { commitParts } = drawers.commit ?? (await import("./commit.js"));
    if (this.drawnHash === prediction.cardHash) this.face.show(commitParts(prediction));
  }

  /** An agent's question takes words, and nothing is approved while Pulse is stopped, or that is not on the screen yet. @param {string} verb @param {import("./permission.js").More} more */
  #takes(verb, more) {
    const { permission } = this.card.prediction;
    if (isHeld(verb) || (verb === "approve" && permission?.dialogOnly)) return false;
    return !permission || verb !== "approve" || (this.isDrawn && (permission.act !== "question" || more.permission !== undefined));
  }

  #menuButton() {
    const label = t("card.menu");
    const open = async () => (await import("./menu.js")).openMenu(this.card.prediction);
    return h("button", { type: "button", class: "bare small menu", title: label, aria: { label }, on: { click: open } }, icon("more"), h("span", null, t("card.less")));
  }

  /** @returns {string} what exactly it shows, so that it is seen before it is answered */
  get shows() {
    return `${this.card.prediction.cardHash} ${this.card.prediction.round}${this.asking ? " asked again" : ""}`;
  }

  /** @returns {string} */
  get prompt() {
    return promptOf(this.card.prediction);
  }

  /** @returns {boolean} whether the card can be answered now */
  get isOpen() {
    const now = Date.now();
    return phaseOf(this.card, now) === "open" && Date.parse(this.card.prediction.expiresAt) > now;
  }

  /**
   * Do what a person asked for.
   * @param {string} verb approve, reject, snooze, details or edit
   * @param {Input} input
   * @param {import("./permission.js").More} [more] to an agent that asks
   */
  act(verb, input, more = {}) {
    const { prediction } = this.card;
    if (verb === "details" || verb === "edit") return void details(prediction.id, verb === "edit");
    if (!this.isOpen || !this.#takes(verb, more)) return this.#straighten();
    if (verb === "snooze") return this.#snooze(input);
    if (verb === "approve" && prediction.risk === "high" && !this.asking) return this.#askAgain(input, more);
    fly(this.root, verb);
    if (prediction.permission) return void answer(prediction, verb === "reject" ? "reject" : "approve", input, more); // the agent waits
    if (verb === "reject") return hold(prediction, input);
    if (input === "tap") buzz();
    if (prediction.risk === "medium") return hold(prediction, input, "approve");
    void answer(prediction, "approve", input);
  }

  /** @param {Card} card as it is now */
  update(card) {
    this.card = card;
    if (this.drawnHash !== card.prediction.cardHash) void this.#drawCommit();
    this.face.update(card, Date.now());
    const yes = this.buttons.querySelector('[data-verb="approve"] span');
    if (yes && card.prediction.source !== "ask") yes.textContent = t(card.prediction.runs?.problem ? "card.look-again" : "card.approve");
    const phase = this.isOpen ? "open" : "over";
    this.stop.update(this.root);
    if (phase === "over") this.stop.root.hidden = true;
    if (this.root.dataset.phase === phase) return;
    this.root.dataset.phase = phase;
    this.buttons.hidden = phase !== "open";
    if (this.ways) this.ways.hidden = phase !== "open";
    this.face.settled.hidden = phase === "open";
    this.#straighten();
    if (phase === "over") this.#end();
  }

  #end() {
    this.asking?.abort();
    this.asking = null;
    this.again.hidden = true;
    announce(this.face.settled.textContent ?? "");
  }

  /** @param {Input} input */
  #snooze(input) {
    this.#straighten();
    void snooze(this.card.prediction, input);
  }

  /** A risky card wants a second yes, in the same place; it waits for it until it is answered, Escape or a press elsewhere. @param {Input} input @param {import("./permission.js").More} more */
  #askAgain(input, more) {
    this.asking = new AbortController();
    this.#straighten();
    const yes = h(
      "button",
      { class: "bad", type: "button", dataset: { starts: "" }, on: { click: () => this.act("approve", input, more) } },
      t("card.confirm.yes"),
    );
    const no = h("button", { type: "button", on: { click: () => this.#calm(true) } }, t("controls.cancel"));
    this.again.replaceChildren(
      h("p", null, icon("risk"), h("span", null, t("card.confirm"))),
      h("div", { class: "row" }, no, yes),
    );
    const hadFocus = this.root.contains(document.activeElement);
    this.again.hidden = false;
    this.buttons.hidden = true;
    if (hadFocus) yes.focus({ preventScroll: true });
    this.again.scrollIntoView({ block: "nearest" });
    announce(t("card.confirm"));
    this.root.dispatchEvent(new Event("pulse:asked-again", { bubbles: true }));
    const { signal } = this.asking;
    const now = performance.now(); // the press that asked may still be on its way
    document.addEventListener("keydown", ({ key }) => key === "Escape" && this.#calm(true), { signal });
    document.addEventListener("click", ({ target, timeStamp }) => timeStamp > now && target instanceof Node && !this.root.contains(target) && this.#calm(false), { signal });
  }

  /** @param {boolean} takesFocus */
  #calm(takesFocus) {
    if (this.again.hidden) return;
    this.asking?.abort();
    this.asking = null;
    this.again.hidden = true;
    this.buttons.hidden = !this.isOpen;
    if (takesFocus) this.root.focus();
  }

  #straighten() {
    this.root.style.transform = "";
    lean(this.root, { verb: null, share: 0 });
  }
}

/** Only what Pulse suggested by itself could come less often. @param {Prediction} prediction */
const isSuggestion = ({ source, origin }) => source !== "ask" && origin !== "person";

/** @param {(verb: string) => void} act @param {boolean} isQuestion it is answered with yes or no */
function answerButtons(act, isQuestion) {
  /** @param {string} verb @param {string} looks */
  const one = (verb, looks) =>
    h(
      "button",
      {
        type: "button",
        class: looks,
        dataset: { verb },
        on: { click: () => act(verb) },
        title: t(`card.${verb}.hint`),
      },
      icon(verb),
      h("span", null, t(isQuestion && QUESTION[verb] ? QUESTION[verb] : `card.${verb}`)),
    );
  return h(
    "div",
    { class: "answers" },
    one("reject", ""),
    one("snooze", "side"),
    one("details", "side"),
    one("approve", "main"),
  );
}

/**
 * Let a likeness of the card leave in the direction of its answer.
 * @param {HTMLElement} root
 * @param {string} verb
 */
function fly(root, verb) {
  if (isStill() || !root.isConnected) return;
  const ghost = /** @type {HTMLElement} */ (root.cloneNode(true));
  ghost.classList.add("ghost");
  ghost.inert = true;
  ghost.querySelectorAll("[id]").forEach((node) => node.removeAttribute("id"));
  root.after(ghost);
  const way = [{ transform: root.style.transform || "none" }, { transform: FLIES[verb], opacity: 0 }];
  const flight = ghost.animate(way, { duration: FLY_MS, easing: "ease-in", fill: "forwards" });
  flight.addEventListener("finish", () => ghost.remove());
  flight.addEventListener("cancel", () => ghost.remove());
}

/** The hand feels that it was a yes, where the device can; browsers allow it only once the page was touched. */
function buzz() {
  if (!isStill() && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(BUZZ_MS);
}

/** @param {string} id @param {boolean} isEditing */
async function details(id, isEditing) {
  (await import("./details.js")).openDetails(id, isEditing);
}

/** @param {Prediction} prediction @param {Input} input */
async function snooze(prediction, input) {
  (await import("./snooze.js")).openSnooze(prediction, input);
}
