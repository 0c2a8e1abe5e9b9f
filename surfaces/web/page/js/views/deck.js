/** The cards: as a stack (one in front, two behind it, and where one is among them), or as a list. */

import { announce, h, icon, need, replace, setText } from "../dom.js";
import { deckOf, phaseOf, state } from "../state.js";
import { pilesOf, togetherOf } from "../together.js";
import { agentTitle, t } from "../words.js";
import { CardView } from "./card.js";
import { DeckFoot } from "./deck-foot.js";
import { isElsewhere, isSeen, verbOfKey } from "./gestures.js";
import { Steady } from "./steady.js";
import { promptOf } from "./wordings.js";

/** @typedef {import("../state.js").Model} Model */
/** @typedef {import("../state.js").Card} Card */
/** @typedef {import("../together.js").Pile} Pile */
/** @typedef {import("./alike.js").AlikeView} AlikeView */

const BEHIND_MAX = 2;
const SHOWN_AS = "pulse.cards";
const ANSWERS = new Set(["approve", "reject", "snooze"]);

export class Deck {
  constructor() {
    this.pile = h("div", { class: "pile", role: "group" });
    this.empty = h("div", { class: "empty", tabindex: "-1" });
    this.foot = new DeckFoot((way) => this.#step(way));
    this.shape = h("button", { type: "button", class: "bare small shape", on: { click: () => this.#showAs(!this.isList) } });
    this.head = h("header", { class: "head" }, h("h1", { id: "deck-title", class: "grow" }, t("nav.inbox")), this.shape);
    this.said = h("p", { class: "grow", role: "status" });
    this.all = h("button", { type: "button", class: "small", on: { click: () => state.set({ together: null }) } });
    this.together = h("div", { class: "note row", hidden: true }, this.said, this.all);
    this.asked = h("p", { class: "grow", role: "status" });
    this.waits = h("div", { class: "note row", hidden: true }, this.asked, this.#showButton());
    this.moved = h("p", { class: "moved", hidden: true });
    this.root = h(
      "section",
      { class: "deck", aria: { labelledby: "deck-title" } },
      this.together,
      this.pile,
      this.waits,
      this.foot.root,
      this.moved,
      h("p", { class: "hint for-keys" }, t("deck.hint")),
      h("p", { class: "hint for-touch" }, t("deck.hint-touch")),
    );
    this.steady = new Steady(this.root, this.moved, () => this.#answerable());
    /** Whether what is below leads where no card waits: then nothing is said here. */
    this.isCalm = true;
    this.isList = isListUsual();
    this.isTogether = false;
    this.waiting = "";
    /** @type {import("./list.js").CardList | null} */
    this.list = null;
    /** @type {typeof import("./alike.js").AlikeView | null} what draws several that are alike, once there are any */
    this.alike = null;
    /** @type {Map<string, CardView | AlikeView>} */
    this.views = new Map();
    /** @type {Pile[]} */
    this.piles = [];
    /** @type {string[]} */
    this.ids = [];
    this.known = new Set(this.ids);
    this.focused = "";
    this.apart = "";
    this.toFront = (/** @type {Event} */ event) => this.#toFront(/** @type {CustomEvent} */ (event).detail);
    addEventListener("pulse:front", this.toFront);
    this.#showAs(this.isList);
  }

  /** The view is left. */
  end() {
    this.steady.end();
    removeEventListener("pulse:front", this.toFront);
  }

  /** @param {Model} model */
  update(model) {
    const all = deckOf(model, Date.now());
    const several = togetherOf(model, Date.now());
    const cards = several.length ? several : all;
    const piles = this.#pilesOf(cards);
    this.#announceNew(all);
    this.#drawTogether(several.length, all.length);
    this.#keepPlace(piles);
    this.#drawPile();
    this.#drawWaits(cards);
    this.list?.update(cards);
    this.foot.draw(this.ids, this.focused, this.isList);
    this.shape.hidden = !this.ids.length;
    this.root.classList.toggle("is-empty", !this.ids.length);
    this.root.hidden = !this.ids.length && !this.isCalm;
    if (!this.ids.length) void this.#drawEmpty(model);
    this.steady.look();
  }

  /** What can be answered now, and what exactly each shows. @returns {Map<HTMLElement, string>} */
  #answerable() {
    if (this.isList) return this.list?.answerable ?? new Map();
    const view = this.views.get(this.focused);
    return new Map(view ? [[view.root, view.shows]] : []);
  }

  /** Until what draws several that are alike is here, each lies by itself. @param {Card[]} cards @returns {Pile[]} */
  #pilesOf(cards) {
    const piles = pilesOf(cards, Date.now(), this.apart);
    if (this.alike || piles.length === cards.length) return piles;
    void this.#loadAlike();
    return cards.map((card) => ({ id: card.prediction.id, cards: [card], more: 0 }));
  }

  async #loadAlike() {
    const { AlikeView } = await import("./alike.js");
    if (this.alike) return;
    this.alike = AlikeView;
    this.update(state.get());
  }

  /** @param {KeyboardEvent} event */
  onKey(event) {
    const verb = verbOfKey(event.key, event.target instanceof Element && event.target.matches(".card"));
    if (!verb || isElsewhere(event)) return;
    event.preventDefault();
    if (verb === "undo") void undo();
    else if (this.isList) this.list?.focusFirst();
    else if (verb === "next") this.#step(1);
    else if (verb === "back") this.#step(-1);
    else if (this.#isInSight() && this.#isSteady(verb, this.views.get(this.focused)?.root)) this.views.get(this.focused)?.act(verb, "key");
  }

  /** @param {string} verb @param {HTMLElement | undefined} root */
  #isSteady(verb, root) {
    return !ANSWERS.has(verb) || this.steady.takesKey(root);
  }

  /** What cannot be seen is not answered: it is brought into sight instead. */
  #isInSight() {
    const card = this.views.get(this.focused);
    if (!card || isSeen(card.root.getBoundingClientRect(), need(".top").offsetHeight, innerHeight)) return true;
    card.root.scrollIntoView({ block: "center" });
    announce(t("deck.unseen", { prompt: card.prompt }));
    return false;
  }

  /** What came at once is shown as a list by itself, until it is seen to or all is wanted. @param {number} count @param {number} ofAll */
  #drawTogether(count, ofAll) {
    const isTogether = count > 0;
    this.together.hidden = !isTogether;
    if (isTogether) {
      setText(this.said, t("together.says", { count }));
      setText(this.all, t("together.all", { count: ofAll }));
      this.all.hidden = count === ofAll;
    }
    if (isTogether === this.isTogether) return;
    this.isTogether = isTogether;
    void this.#showAs(isTogether || isListUsual(), { isKept: false });
  }

  /** A card keeps its place under the finger, so an agent that begins to wait behind it is named. @param {Card[]} cards */
  #drawWaits(cards) {
    const first = cards.find((card) => card.prediction.source === "ask" && phaseOf(card, Date.now()) === "open");
    const front = this.piles.find(({ id }) => id === this.focused)?.cards[0];
    const isBehind = Boolean(first) && !this.isList && front?.prediction.source !== "ask";
    this.waits.hidden = !isBehind;
    this.waiting = first?.prediction.id ?? "";
    setText(this.asked, first && isBehind ? t("deck.asks", { name: agentTitle(first.prediction.targetAgent) }) : "");
  }

  #showButton() {
    return h("button", { type: "button", class: "small", on: { click: () => this.#toFront(this.waiting, "") } }, t("deck.show"));
  }

  /** Show the cards as a list, or as a stack; the choice is kept. @param {boolean} isList @param {{isKept?: boolean}} [how] */
  async #showAs(isList, { isKept = true } = {}) {
    this.isList = isList;
    if (isKept) localStorage.setItem(SHOWN_AS, isList ? "list" : "stack");
    const words = t(isList ? "deck.as-stack" : "deck.as-list");
    replace(this.shape, icon(isList ? "stack" : "list"), h("span", null, words));
    if (isList && !this.list) {
      const { CardList } = await import("./list.js");
      this.list = new CardList((id, verb, input) => this.#actOn(id, verb, input));
      this.pile.before(this.list.root);
    }
    this.root.classList.toggle("as-list", this.isList);
    if (state.get().status) this.update(state.get());
  }

  /** A card that wants a second yes asks for it where it is shown whole. @param {string} id @param {string} verb @param {import("../answers.js").Input} input */
  async #actOn(id, verb, input) {
    const card = state.get().cards[id];
    if (!card || (input === "key" && !this.#isSteady(verb, this.list?.views.get(id)?.root))) return;
    if (verb === "approve" && (card.prediction.risk === "high" || card.prediction.permission)) {
      await this.#showAs(false);
      this.#toFront(id);
      if (card.prediction.permission) return; // what an agent asks is read whole before a yes
    }
    this.#viewOf({ id, cards: [card], more: 0 }).act(verb, input);
  }

  /** Each is said once, when it comes: whether it is shown, lies by itself or among those alike. @param {Card[]} cards */
  #announceNew(cards) {
    const fresh = cards.find(({ prediction }) => !this.known.has(prediction.id));
    if (fresh && this.known.size) announce(t("deck.news", { prompt: promptOf(fresh.prediction) }));
    this.known = new Set(cards.map(({ prediction }) => prediction.id));
  }

  /** The next card takes the place of one that left; one that is among several now is seen with them. @param {Pile[]} piles */
  #keepPlace(piles) {
    const place = Math.max(0, this.ids.indexOf(this.focused));
    const was = [this.focused, ...(this.piles.find(({ id }) => id === this.focused)?.cards ?? []).map(({ prediction }) => prediction.id)];
    const ids = piles.map(({ id }) => id);
    this.piles = piles;
    this.ids = ids;
    if (ids.includes(this.focused)) return;
    const same = piles.find(({ cards }) => cards.some((card) => was.includes(card.prediction.id)));
    this.focused = same?.id ?? ids[Math.min(place, ids.length - 1)] ?? "";
  }

  #drawPile() {
    const { piles } = this;
    const from = Math.max(0, this.ids.indexOf(this.focused));
    const round = [...piles.slice(from), ...piles.slice(0, from)].slice(0, BEHIND_MAX + 1);
    const shown = round.map((pile) => this.#viewOf(pile).root);
    const hadFocus = this.pile.contains(document.activeElement);
    this.#clearAway(shown);
    shown.forEach((root, depth) => {
      root.dataset.depth = String(depth);
      root.inert = depth > 0;
      if (root.parentNode !== this.pile) this.pile.append(root);
    });
    this.pile.setAttribute("aria-label", t("deck.waiting", { count: this.ids.length }));
    if (hadFocus && !this.pile.contains(document.activeElement)) {
      (shown[0] ?? this.empty).focus({ preventScroll: true });
    }
  }

  /** @param {HTMLElement[]} shown */
  #clearAway(shown) {
    for (const [id, view] of this.views) {
      if (shown.includes(view.root)) continue;
      view.root.remove();
      if (!this.ids.includes(id)) this.views.delete(id);
    }
    if (shown.length) this.empty.remove();
    else if (this.empty.parentNode !== this.pile) this.pile.append(this.empty);
  }

  /** @param {Pile} pile @returns {CardView | AlikeView} */
  #viewOf(pile) {
    const { id, cards } = pile;
    const view = this.views.get(id);
    if (view instanceof CardView) view.update(cards[0]);
    else if (view) view.update(pile);
    if (view) return view;
    const made = this.alike && cards.length > 1 ? new this.alike(pile) : new CardView(cards[0]);
    this.views.set(id, made);
    return made;
  }

  /** @param {Model} model */
  async #drawEmpty(model) {
    (await import("./quiet.js")).drawQuiet(this.empty, model);
  }

  /** @param {string} id @param {string} [apart] which is then shown by itself, not among those alike */
  #toFront(id, apart = id) {
    const hadFocus = this.pile.contains(document.activeElement);
    this.apart = apart;
    this.focused = id;
    this.update(state.get());
    if (hadFocus) this.views.get(this.focused)?.root.focus({ preventScroll: true });
  }

  /** @param {number} way */
  #step(way) {
    const { ids } = this;
    if (!ids.length) return;
    const hadFocus = this.pile.contains(document.activeElement);
    const place = (ids.indexOf(this.focused) + way + ids.length) % ids.length;
    this.focused = ids[place];
    this.update(state.get());
    const card = this.views.get(this.focused);
    if (hadFocus) card?.root.focus({ preventScroll: true });
    if (card) intoView(card.root);
    announce(`${t("deck.place", { place: place + 1, count: ids.length })}: ${card?.prompt ?? ""}`);
  }
}

/** Show a card from its beginning: who went on with the buttons below one that was taller may see only its end. @param {HTMLElement} card */
function intoView(card) {
  const { top } = card.getBoundingClientRect();
  if (top < need(".top").offsetHeight || top > innerHeight / 2) card.scrollIntoView({ block: "start" });
}

/** @returns {boolean} whether the person has the cards as a list */
export const isListUsual = () => localStorage.getItem(SHOWN_AS) === "list";

async function undo() {
  const loaded = await import("./undo.js").catch(() => null); // away from the hub it may not be here yet
  await loaded?.undoLast("key");
}
