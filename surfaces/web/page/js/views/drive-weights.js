/** How much each drive counts: a slider for each. A change is sent once, when it is let go, and can be taken back. */

import { newKey, send, wordsOf } from "../api.js";
import { announce, h, replace, setText } from "../dom.js";
import { number } from "../format.js";
import { t } from "../words.js";
import { driveTitle } from "./drive-bars.js";
import { WEIGHT_MAX, WEIGHT_MIN, WEIGHT_STEP, weightOf } from "./drives-model.js";

/** @typedef {import("../types").DriveView} DriveView */
/** @typedef {import("../types").MutationView} MutationView */

/** A key that is held down changes the value many times; it is let go when nothing came for so long. */
const LET_GO_MS = 500;

/** The hub looked at a change, and did not make it. */
class NotTaken extends Error {
  /** @param {MutationView} made */
  constructor({ status, note, fix }) {
    super(status === "asked" ? t("drives.weight-asked") : [note, fix].filter(Boolean).join(" "));
    this.name = "NotTaken";
  }
}

export class WeightSlider {
  /**
   * @param {string} name of its drive
   * @param {() => void} changed is called when the hub has taken a change
   */
  constructor(name, changed) {
    const id = `weight-${name}`;
    this.name = name;
    this.changed = changed;
    this.kept = 1;
    this.isSending = false;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.planned = undefined;
    this.said = h("output", { for: id, class: "drive-weight" });
    this.told = h("p", { class: "control-told", id: `${id}-told`, role: "status", hidden: true });
    const on = { input: () => this.say(this.chosen()), change: () => this.plan(), blur: () => this.flush() };
    this.input = h("input", { type: "range", id, min: WEIGHT_MIN, max: WEIGHT_MAX, step: WEIGHT_STEP, aria: { describedby: this.told.id }, on });
    const label = h("label", { for: id }, h("span", { class: "only-read" }, `${t("drives.weight")}: `), driveTitle(name));
    this.node = h("li", { class: "drive-slider" }, label, this.said, this.input, this.told);
  }

  /**
   * Show what the hub says, unless the person is at it.
   * @param {DriveView} drive
   */
  show({ weight }) {
    if (this.isSending || this.planned !== undefined || this.input.matches(":active")) return;
    this.kept = weight;
    this.write(weight);
  }

  /** Send now what was to be sent in a moment. */
  flush() {
    if (this.planned === undefined) return;
    clearTimeout(this.planned);
    this.planned = undefined;
    const weight = this.chosen();
    if (weight === weightOf(this.kept)) this.write(this.kept);
    else void this.send(weight);
  }

  plan() {
    clearTimeout(this.planned);
    this.planned = setTimeout(() => this.flush(), LET_GO_MS);
  }

  chosen() {
    return weightOf(Number(this.input.value));
  }

  /** @param {number} weight */
  write(weight) {
    this.input.value = String(weightOf(weight));
    this.say(weight);
  }

  /** @param {number} weight */
  say(weight) {
    setText(this.said, number(weight));
    this.input.setAttribute("aria-valuetext", number(weight));
  }

  /**
   * Ask the hub for another weight.
   * @param {number} weight
   */
  async send(weight) {
    const before = this.kept;
    this.write(weight);
    const made = await this.ask("/drives/weights", { name: this.name, weight });
    if (made) this.tell(true, t("drives.weight-changed", { before: number(before) }), " ", this.undo(made.id));
  }

  /** @param {string} id of the change that is taken back, whatever was changed since */
  undo(id) {
    const back = async () => {
      this.input.focus(); // the button goes away
      if (await this.ask(`/drives/weights/${encodeURIComponent(id)}/undo`)) this.tell(true, t("drives.weight-undone", { weight: number(this.kept) }));
    };
    return h("button", { type: "button", class: "small", on: { click: back } }, t("told.undo"));
  }

  /**
   * Ask for a change. What the hub made of it is what is shown; what it refuses is put back, and said.
   * @param {string} path
   * @param {{name: string, weight: number}} [body]
   * @returns {Promise<MutationView | null>} what was made; null where it was not
   */
  async ask(path, body) {
    this.isSending = true;
    try {
      const answer = await send("POST", path, body, { key: newKey() });
      const made = /** @type {MutationView} */ (answer.mutations[0]);
      if (made.status !== "applied") throw new NotTaken(made);
      this.kept = made.after ?? this.kept;
      announce(t("drives.weight-said", { name: driveTitle(this.name), weight: number(this.kept) }));
      this.changed();
      return made;
    } catch (error) {
      this.tell(false, t("drives.weight-kept", { reason: error instanceof NotTaken ? error.message : wordsOf(error), weight: number(this.kept) }));
      return null;
    } finally {
      this.isSending = false;
      if (this.planned === undefined) this.write(this.kept);
    }
  }

  /**
   * @param {boolean} isGood
   * @param {...(Node | string)} words
   */
  tell(isGood, ...words) {
    this.told.hidden = false;
    this.told.classList.toggle("good", isGood);
    replace(this.told, words);
  }
}
