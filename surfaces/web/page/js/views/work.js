/** What runs now, what has just ended, and what failed and waits for a person. */

import { answer } from "../answers.js";
import { announce, h, icon, replace, setText } from "../dom.js";
import { span } from "../format.js";
import { phaseOf, workOf } from "../state.js";
import { t } from "../words.js";
import { settledWords } from "./face.js";

/** @typedef {import("../state.js").Card} Card */
/** @typedef {import("../state.js").Model} Model */

const LINES_SHOWN = 4;
const SHOWN_MAX = 12;

export class WorkPanel {
  constructor() {
    this.list = h("ul", { class: "runs" });
    this.root = h(
      "section",
      { class: "work", hidden: true, aria: { labelledby: "work-title" } },
      h("h2", { id: "work-title" }, t("work.title")),
      this.list,
    );
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    /** @type {Set<string>} put aside by the person, until the page is loaded anew */
    this.aside = new Set();
  }

  /** @param {Model} model */
  update(model) {
    const all = workOf(model, Date.now()).filter((card) => !this.aside.has(keyOf(card)));
    const cards = all.slice(0, SHOWN_MAX);
    this.#drop(new Set(cards.map((card) => card.prediction.id)));
    for (const card of cards) this.#rowOf(card, model).update(card);
    this.root.hidden = cards.length === 0;
  }

  /** @param {Set<string>} kept */
  #drop(kept) {
    for (const [id, row] of this.rows) {
      if (kept.has(id)) continue;
      row.root.remove();
      this.rows.delete(id);
    }
  }

  /** @param {Card} card @param {Model} model */
  #rowOf(card, model) {
    const { id } = card.prediction;
    const row = this.rows.get(id) ?? new Row(card, () => this.#putAside(card, model));
    this.rows.set(id, row);
    if (row.root.parentNode !== this.list) this.list.append(row.root);
    return row;
  }

  /** @param {Card} card @param {Model} model */
  #putAside(card, model) {
    this.aside.add(keyOf(card));
    this.update(model);
  }
}

/** A retry is another execution, and is shown again. @param {Card} card */
const keyOf = ({ prediction }) => `${prediction.id} ${prediction.executionId}`;

class Row {
  /** @param {Card} card @param {() => void} putAside */
  constructor(card, putAside) {
    this.putAside = putAside;
    this.state = h("span", { class: "run-state" });
    this.time = h("span", { class: "facts" });
    this.prompt = h("p", { class: "prompt", dir: "auto" });
    this.lines = h("ol", { class: "lines mono", aria: { label: t("work.lines") } });
    this.outcome = h("p", { class: "outcome", dir: "auto" });
    this.by = h("p", { class: "facts" });
    this.acts = h("div", { class: "row wrap acts" });
    const top = h("div", { class: "row between" }, this.state, this.time);
    const below = [this.prompt, this.lines, this.outcome, this.by, this.acts];
    this.root = h("li", { class: "run", tabindex: "-1", dataset: { id: card.prediction.id } }, top, below);
    this.phase = "";
  }

  /** @param {Card} card */
  update(card) {
    const { prediction, lines, error } = card;
    const phase = phaseOf(card, Date.now());
    const runs = phase === "running";
    setText(this.prompt, prediction.prompt);
    setText(this.time, runs && prediction.settled ? span(Date.now() - Date.parse(prediction.settled.at)) : "");
    setText(this.by, settledWords(prediction));
    setText(this.outcome, runs ? "" : error || prediction.outcome || t("work.failed.unknown"));
    drawLines(this.lines, runs ? lines : []);
    this.#enter(card, phase);
  }

  /** @param {Card} card @param {string} phase */
  #enter(card, phase) {
    const isQueued = phase === "running" && card.prediction.runState === "queued";
    const words = t(isQueued ? "work.queued" : `work.${phase}`);
    if (words === this.state.textContent) return;
    setText(this.state, words);
    this.root.dataset.phase = phase;
    replace(this.acts, ...actsOf(card, phase, this.putAside));
    if (this.phase) announce(`${words}: ${card.prediction.prompt}`, phase === "failed");
    this.phase = phase;
  }
}

/** @param {HTMLElement} root @param {string[]} lines the last few; only what is new is added */
function drawLines(root, lines) {
  const shown = lines.slice(-LINES_SHOWN);
  const text = shown.join("\n");
  if (root.dataset.text === text) return;
  root.dataset.text = text;
  replace(root, ...shown.map((line) => h("li", { dir: "auto" }, line)));
}

/** @param {Card} card @param {string} phase @param {() => void} putAside @returns {HTMLElement[]} */
function actsOf(card, phase, putAside) {
  const { prediction } = card;
  const more = act("details", t("card.details"), () => void details(prediction.id), "bare small");
  if (phase === "running") {
    return [act("stop", t("work.stop"), (button) => void once(button, prediction, "stop"), "small"), more];
  }
  if (phase !== "failed") return [more];
  const retry = act("retry", t("work.retry"), (button) => void once(button, prediction, "retry"), "small");
  return [retry, more, act("close", t("work.aside"), putAside, "bare small")];
}

/**
 * @param {string} name
 * @param {string} words
 * @param {(button: HTMLButtonElement) => void} press
 * @param {string} looks
 */
function act(name, words, press, looks) {
  const button = h("button", { type: "button", class: looks }, icon(name), words);
  button.addEventListener("click", () => press(button));
  return button;
}

/** @param {HTMLButtonElement} button @param {import("../types").Prediction} prediction @param {"stop" | "retry"} verb */
async function once(button, prediction, verb) {
  button.disabled = true;
  await answer(prediction, verb, "tap", verb === "retry" ? { attempt: prediction.attempts } : {});
  button.disabled = false;
}

/** @param {string} id */
async function details(id) {
  (await import("./details.js")).openDetails(id);
}
