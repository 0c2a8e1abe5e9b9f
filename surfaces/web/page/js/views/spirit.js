/**
 * The spirit: a small light that is always there, with the four states of WORLD. It glows while nothing runs, pulses
 * while agents work, sparkles for a moment when work is verified, and asks for help when work failed.
 */

import { answer } from "../answers.js";
import { announce, h, replace, setText } from "../dom.js";
import { phaseOf, state } from "../state.js";
import { t } from "../words.js";

/** @typedef {import("../state.js").Model} Model */
/** @typedef {import("../state.js").Card} Card */

const SPARKLE_MS = 3_000;

/**
 * Which of the four states the spirit is in.
 * @param {Model} model
 * @param {number} now ms
 * @returns {{mood: "idle" | "working" | "verified" | "failed", failed: Card | null}}
 */
export function moodOf(model, now) {
  const cards = Object.values(model.cards);
  const failed = cards
    .filter((card) => phaseOf(card, now) === "failed")
    .sort((one, other) => other.endedAt - one.endedAt)[0];
  if (failed) return { mood: "failed", failed };
  const verified = cards.some(
    ({ prediction, endedAt }) => prediction.status === "executed" && now - endedAt < SPARKLE_MS,
  );
  if (verified) return { mood: "verified", failed: null };
  const works =
    cards.some((card) => phaseOf(card, now) === "running") || model.agents.some((one) => one.state === "running");
  return { mood: works ? "working" : "idle", failed: null };
}

/** @returns {HTMLElement} the light, its words, and the bubble that asks for help */
export function spirit() {
  return new Spirit().root;
}

class Spirit {
  constructor() {
    this.word = h("span", { class: "word" });
    this.bubble = h("section", { class: "bubble", hidden: true, aria: { label: t("spirit.help") } });
    this.button = h(
      "button",
      {
        class: "spirit bare",
        type: "button",
        aria: { expanded: false },
        on: { click: () => this.#toggle(this.bubble.hidden !== false) },
      },
      h("span", { class: "light", aria: { hidden: true } }, h("i", null), h("i", null), h("i", null)),
      h("span", { class: "names" }, h("strong", null, t("shell.title")), this.word),
    );
    this.root = h("div", { class: "spirit-place" }, this.button, this.bubble);
    this.shownFor = "";
    this.dismissed = "";
    this.bubble.addEventListener("keydown", (event) => event.key === "Escape" && this.#close());
    state.watch(() => this.#draw());
    addEventListener("pulse:tick", () => this.#draw());
    this.#draw();
  }

  #draw() {
    const model = state.get();
    const { mood, failed } = moodOf(model, Date.now());
    this.#show(mood);
    const words = mood === "idle" && model.status ? t(`state.${model.status.state}`) : t(`spirit.${mood}`);
    setText(this.word, model.link === "lost" ? t("spirit.lost") : words);
    if (!failed) return this.#forget();
    const { id } = failed.prediction;
    if (failed.endedAt > 0 && id !== this.dismissed && id !== this.shownFor) this.#toggle(true);
  }

  /** @param {string} mood */
  #show(mood) {
    if (this.button.dataset.mood === mood) return;
    this.button.dataset.mood = mood;
    if (mood === "verified" || mood === "failed") announce(t(`spirit.${mood}`), mood === "failed");
  }

  /** @param {boolean} open */
  #toggle(open) {
    const { failed } = moodOf(state.get(), Date.now());
    if (!failed) return location.assign("#/");
    const { id } = failed.prediction;
    if (!open) this.dismissed = id;
    if (open && this.shownFor !== id) replace(this.bubble, ...asksForHelp(failed, () => this.#close()));
    if (open) this.shownFor = id;
    this.#open(open);
  }

  #close() {
    this.#toggle(false);
    this.button.focus();
  }

  #forget() {
    this.shownFor = "";
    this.dismissed = "";
    this.#open(false);
  }

  /** @param {boolean} isOpen */
  #open(isOpen) {
    this.bubble.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
  }
}

/** @param {Card} card @param {() => void} close */
function asksForHelp(card, close) {
  const { prediction, error } = card;
  return [
    h("h2", null, t("spirit.help")),
    h("p", { class: "what", dir: "auto" }, prediction.prompt),
    h("p", { class: "error", dir: "auto" }, error || prediction.outcome || t("work.failed.unknown")),
    prediction.editable ? helpForm(prediction, close) : againButton(prediction, close),
    h("button", { class: "bare small", type: "button", on: { click: close } }, t("spirit.later")),
  ];
}

/** A fixed command is only ever run again as it is. @param {import("../types").Prediction} prediction @param {() => void} onSent */
function againButton(prediction, onSent) {
  const button = h("button", { class: "main", type: "button" }, t("work.retry"));
  button.addEventListener("click", () => void send());
  async function send() {
    button.disabled = true;
    const told = await answer(prediction, "retry", "tap", { attempt: prediction.attempts });
    button.disabled = false;
    if (told.kind === "sent") onSent();
  }
  return button;
}

/**
 * A field for what a failed task needed to know; it is run again with these words.
 * @param {import("../types").Prediction} prediction
 * @param {() => void} [onSent]
 * @returns {HTMLFormElement}
 */
export function helpForm(prediction, onSent) {
  const id = `help-${prediction.id}-${onSent ? "bubble" : "card"}`;
  const field = h("input", {
    id,
    name: "text",
    autocomplete: "off",
    required: true,
    placeholder: t("work.help.hint"),
    dir: "auto",
  });
  const button = h("button", { class: "main", type: "submit" }, t("work.help.send"));
  const form = h(
    "form",
    { class: "help" },
    h("label", { for: id }, t("work.help")),
    h("div", { class: "row" }, field, button),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submit();
  });
  async function submit() {
    const text = field.value.trim();
    if (!text) return;
    button.disabled = true;
    const told = await answer(prediction, "respond", "key", { text });
    button.disabled = false;
    if (told.kind !== "sent") return;
    field.value = "";
    onSent?.();
  }
  return form;
}
