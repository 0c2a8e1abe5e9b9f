/** What failed and waits for a person; what runs now, and what has just ended. */

import { answer } from "../answers.js";
import { announce, h, icon, replace, setText } from "../dom.js";
import { span } from "../format.js";
import { phaseOf, workOf } from "../state.js";
import { agentTitle, t } from "../words.js";
import { askedOf, ranOf, resultWords, settledWords } from "./face.js";
import { promptOf, worded } from "./wordings.js";

/** @typedef {import("../state.js").Card} Card */
/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("../state.js").Model} Model */

const LINES_SHOWN = 4;
const SHOWN_MAX = 12;

export class WorkPanel {
  /** @param {"failed" | "now"} what */
  constructor(what) {
    this.what = what;
    this.list = h("ul", { class: "runs" });
    const id = `work-${what}`;
    this.root = h("section", { class: "work", hidden: true, aria: { labelledby: id } }, h("h2", { id }, t(`work.title-${what}`)), this.list);
    /** @type {Map<string, Row>} */
    this.rows = new Map();
    /** @type {Set<string>} put aside by the person, until the page is loaded anew */
    this.aside = new Set();
  }

  /** @param {Model} model */
  update(model) {
    const now = Date.now();
    const isOurs = (/** @type {Card} */ card) => (phaseOf(card, now) === "failed") === (this.what === "failed");
    const all = workOf(model, now).filter((card) => isOurs(card) && !this.aside.has(keyOf(card)));
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
    this.more = h("div", { class: "stack" });
    this.by = h("p", { class: "facts" });
    this.acts = h("div", { class: "row wrap acts" });
    const top = h("div", { class: "row between" }, this.state, this.time);
    const below = [this.prompt, this.lines, this.outcome, this.more, this.by, this.acts];
    this.root = h("li", { class: "run", tabindex: "-1", dataset: { id: card.prediction.id } }, top, below);
    this.phase = "";
  }

  /** @param {Card} card */
  update(card) {
    const { prediction, lines } = card;
    const phase = phaseOf(card, Date.now());
    const runs = phase === "running";
    setText(this.prompt, [ranOf(prediction), askedOf(prediction)].filter(Boolean).join("\n"));
    setText(this.time, runs && prediction.settled ? span(Date.now() - Date.parse(prediction.settled.at)) : "");
    setText(this.by, settledWords(prediction));
    setText(this.outcome, runs ? "" : outcomeOf(card));
    drawLines(this.lines, runs ? lines : []);
    this.#enter(card, phase);
  }

  /** @param {Card} card @param {string} phase */
  #enter(card, phase) {
    const { prediction } = card;
    const words = stateWords(prediction, phase);
    const shown = [words, prediction.executionId, prediction.offers.join(), prediction.result?.executionId].join(" ");
    if (shown === this.phase) return;
    const isNew = this.phase !== "" && this.state.textContent !== words;
    setText(this.state, words);
    this.root.dataset.phase = phase === "done" && prediction.result?.handedOver ? "handed-over" : phase;
    replace(this.more, ...(phase === "running" ? [] : partsOf(prediction)));
    replace(this.acts, ...actsOf(card, phase, this.putAside));
    if (isNew) announce(`${words}: ${promptOf(prediction)}`, phase === "failed");
    this.phase = shown;
  }
}

/** @param {Prediction} prediction @param {string} phase @returns {string} how a run ended is said as what it was */
function stateWords({ runState, result }, phase) {
  if (phase === "done" && result?.handedOver) return t("work.handed-over");
  if (phase === "running") return t(runState === "queued" ? "work.queued" : "work.running");
  return result && phase === "failed" && result.ended !== "failed" ? t(`result.ended-${result.ended}`) : t(`work.${phase}`);
}

/** @param {Card} card @returns {string} its one line */
function outcomeOf({ prediction, error }) {
  return prediction.result ? resultWords(prediction.result) : error || worded(prediction.outcomeWorded, prediction.outcome) || t("work.failed.unknown");
}

/** @param {Prediction} prediction @returns {(HTMLElement | null)[]} the last lines that matter, folded; what to do; what the agent said */
function partsOf({ result }) {
  if (!result) return [];
  const { trouble, advice, adviceWorded, said } = result;
  const label = t("result.trouble");
  return [
    trouble.length
      ? h("details", { class: "last-lines" }, h("summary", { class: "mono", dir: "auto" }, trouble[trouble.length - 1]), h("pre", { class: "mono", tabindex: 0, role: "group", aria: { label }, dir: "auto" }, trouble.join("\n")))
      : null,
    advice ? h("p", { class: "note" }, worded(adviceWorded, advice)) : null,
    said ? h("p", { class: "said", dir: "auto" }, said) : null,
  ];
}

/** @param {HTMLElement} root @param {string[]} lines the last few; only what is new is added */
function drawLines(root, lines) {
  const shown = lines.slice(-LINES_SHOWN);
  const text = shown.join("\n");
  if (root.dataset.text === text) return;
  root.dataset.text = text;
  replace(root, ...shown.map((line) => h("li", { dir: "auto" }, line)));
}

/** @param {Card} card @param {string} phase @param {() => void} putAside @returns {(HTMLElement | null)[]} */
function actsOf(card, phase, putAside) {
  const { prediction } = card;
  const more = act("details", t("card.details"), () => void details(prediction.id), "bare small");
  if (phase === "running") {
    return [act("stop", t("work.stop"), (button) => void once(button, prediction, "stop"), "small"), more];
  }
  const result = prediction.result ? act("next", openWords(prediction.result), () => void openResult(prediction.id), "bare small") : null;
  if (phase !== "failed") return [result, more];
  const offered = prediction.offers.filter((verb) => verb in OFFERED);
  return [
    ...offered.map((verb) => act(OFFERED[verb].icon, offerWords(verb, prediction), (button) => void once(button, prediction, /** @type {Offered} */ (verb)), verb === "ignore" ? "bare small" : "small")),
    offered.length ? null : act("close", t("work.aside"), putAside, "bare small"), // of a hub that offers nothing
    result,
    more,
  ];
}

/** @typedef {"retry" | "fix" | "ignore"} Offered */

/** @type {Record<string, {icon: string}>} what a person may do about what failed, as the hub offers it */
const OFFERED = { retry: { icon: "retry" }, fix: { icon: "edit" }, ignore: { icon: "close" } };

/** @param {string} verb @param {Prediction} prediction */
function offerWords(verb, { fixer }) {
  return verb === "fix" ? t("work.fix", { name: agentTitle(fixer) }) : t(`work.${verb}`);
}

/** @param {import("../types").WorkResult} result */
function openWords({ filesChanged }) {
  return filesChanged ? t("result.files", { count: filesChanged }) : t("result.open");
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

/** @param {HTMLButtonElement} button @param {Prediction} prediction @param {"stop" | Offered} verb */
async function once(button, prediction, verb) {
  button.disabled = true;
  await answer(prediction, verb, "tap", verb === "stop" ? {} : { attempt: prediction.attempts });
  button.disabled = false;
}

/** @param {string} id */
async function details(id) {
  (await import("./details.js")).openDetails(id);
}

/** @param {string} id */
async function openResult(id) {
  (await import("./result.js")).openResult(id);
}
