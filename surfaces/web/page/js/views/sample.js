/** A sample card, to try how cards are answered. It is drawn by the page alone: nothing is sent, run or learnt. */

import { announce, h, icon, isLetterMeant, replace, setText } from "../dom.js";
import { has, t } from "../words.js";
import { lean, makeSwipeable, verbOfKey } from "./gestures.js";

const ANSWERS = ["reject", "snooze", "approve"];
const MEANT = new Set([...ANSWERS, "details"]);

/** @param {string} name @returns {string} what the sample says; a phone has no keys */
function said(name) {
  const touch = `sample.${name}-touch`;
  return t(has(touch) && matchMedia("(pointer: coarse)").matches ? touch : `sample.${name}`);
}

export class Sample {
  constructor() {
    this.told = h("p", { class: "note", role: "status", hidden: true });
    this.place = h("div", { class: "sample-place", hidden: true });
    this.button = h("button", { type: "button", class: "small", on: { click: () => this.#toggle() } }, t("sample.show"));
    const head = h("div", { class: "row wrap between" }, h("div", { class: "grow" }, h("h3", null, t("sample.title")), h("p", { class: "facts" }, said("says"))), this.button);
    this.root = h("div", { class: "grow sample-row" }, head, this.place, this.told);
  }

  #toggle() {
    const isShown = this.place.hidden;
    this.place.hidden = !isShown;
    this.told.hidden = true;
    setText(this.button, t(isShown ? "sample.hide" : "sample.show"));
    replace(this.place, isShown ? this.#card() : null);
    if (isShown) /** @type {HTMLElement | null} */ (this.place.firstElementChild)?.focus();
  }

  #card() {
    const act = (/** @type {string} */ verb) => this.#answer(card, verb);
    const buttons = ANSWERS.map((verb) => h("button", { type: "button", class: verb === "approve" ? "main" : verb === "snooze" ? "side" : "", title: t(`card.${verb}.hint`), on: { click: () => act(verb) } }, icon(verb), h("span", null, t(`card.${verb}`))));
    const card = h(
      "article",
      { class: "card sample", dataset: { depth: "0" }, tabindex: "0", aria: { labelledby: "sample-prompt" } },
      ANSWERS.map((verb) => h("span", { class: `stamp ${verb}`, aria: { hidden: true } }, t(`card.${verb}`))),
      h("div", { class: "face" }, h("div", { class: "row face-head" }, h("span", { class: "place" }, t("sample.place")), h("span", { class: "badge warn" }, t("sample.badge"))), h("p", { class: "prompt", id: "sample-prompt" }, t("sample.prompt")), h("p", { class: "why" }, t("sample.why"))),
      h("div", { class: "answers" }, buttons),
    );
    makeSwipeable(card, { onVerb: act, onLong: () => act("details"), isOpen: () => true });
    card.addEventListener("keydown", (event) => {
      const verb = verbOfKey(event.key, event.target === card);
      if (!MEANT.has(verb) || event.ctrlKey || event.metaKey || event.altKey || !isLetterMeant(event)) return;
      event.preventDefault();
      event.stopPropagation();
      act(verb);
    });
    return card;
  }

  /** @param {HTMLElement} card @param {string} verb */
  #answer(card, verb) {
    card.style.transform = "";
    lean(card, { verb: null, share: 0 });
    this.told.hidden = false;
    setText(this.told, said(`told-${verb}`));
    announce(said(`told-${verb}`));
  }
}
