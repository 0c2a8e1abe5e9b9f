/** What controls are made of: a switch, a field and a choice. Each shows the hub's value, and its refusal beside it. */

import { wordsOf } from "../api.js";
import { coded } from "./coded.js";
import { h, replace } from "../dom.js";
import { locale, t } from "../words.js";
import { parsed, written } from "./controls-model.js";

/** @typedef {import("./controls-desk.js").Outcome} Outcome */

let made = 0;

/**
 * A section of controls.
 * @param {string} title
 * @param {string} says what it is for, in a sentence
 * @param {...(Node | string | false | null)} children
 * @returns {HTMLElement}
 */
export function panel(title, says, ...children) {
  const id = freshId();
  return h("section", { class: "panel control", aria: { labelledby: id } }, h("h2", { id }, title), says && h("p", { class: "facts" }, coded(says)), children);
}

/**
 * An on-off switch. It moves when the hub has taken the change, not before.
 * @param {{label: string, hint?: string, change: (on: boolean) => Promise<Outcome>}} spec
 * @returns {{node: HTMLElement, show: (isOn: boolean, isFixed?: boolean) => void}}
 */
export function toggle({ label, hint, change }) {
  const [id, hintId] = [freshId(), freshId()];
  const told = refusal();
  const knob = h("button", { type: "button", class: "knob", role: "switch", aria: { checked: false, labelledby: id, describedby: `${hintId} ${told.id}` } });
  knob.addEventListener("click", async () => {
    if (knob.getAttribute("aria-disabled") === "true") return;
    knob.setAttribute("aria-disabled", "true");
    const { message } = await change(knob.getAttribute("aria-checked") !== "true");
    knob.setAttribute("aria-disabled", "false");
    told.say(message);
  });
  const words = h("div", { class: "grow" }, h("p", { class: "control-label", id }, label), h("p", { class: "facts", id: hintId }, hint));
  return {
    node: h("div", { class: "control-row" }, words, knob, told),
    show: (isOn, isFixed = false) => {
      knob.setAttribute("aria-checked", String(isOn));
      knob.setAttribute("aria-disabled", String(isFixed));
    },
  };
}

/**
 * A field for a number. What is typed is sent when the field is left or Enter is pressed; a refusal restores the old value.
 * @param {{label: string, kind: import("./controls-model.js").Kind, unit: string, change: (value: number) => Promise<Outcome>}} spec
 * @returns {{node: HTMLElement, show: (value: number) => void}}
 */
export function numberField({ label, kind, unit, change }) {
  const field = textField({
    label,
    unit,
    inputmode: "decimal",
    change: async (text) => {
      const value = parsed(kind, text);
      return value === null ? { isTaken: false, message: t(`controls.bad-${kind}`) } : change(value);
    },
  });
  return { node: field.node, show: (value) => field.show(written(kind, value, decimalPoint())) };
}

/**
 * @param {{label: string, unit?: string, inputmode?: string, maxlength?: number, change: (text: string) => Promise<Outcome>}} spec
 * @returns {{node: HTMLElement, show: (text: string) => void}}
 */
export function textField({ label, unit, inputmode, maxlength, change }) {
  const id = freshId();
  const told = refusal();
  const input = h("input", { id, inputmode, maxlength, autocomplete: "off", aria: { describedby: told.id } });
  let kept = "";
  const show = (/** @type {string} */ text) => {
    const isTyping = document.activeElement === input && input.value !== kept;
    kept = text;
    if (!isTyping) input.value = text;
  };
  const save = async () => {
    if (input.value === kept || input.readOnly) return;
    input.readOnly = true;
    const { isTaken, message } = await change(input.value);
    input.readOnly = false;
    input.value = kept;
    told.say(message);
    input.setAttribute("aria-invalid", String(!isTaken));
  };
  input.addEventListener("change", save);
  input.addEventListener("input", () => told.say(""));
  input.addEventListener("keydown", (event) => {
    if (event.key === "Escape") input.value = kept;
    if (event.key === "Enter") void save();
  });
  const box = h("div", { class: "control-input" }, input, unit && h("span", { class: "facts", aria: { hidden: true } }, unit));
  return { node: h("div", { class: "control-field" }, h("label", { for: id }, label, unit && h("span", { class: "only-read" }, ` (${unit})`)), box, told), show };
}

/**
 * A choice among few.
 * @param {{label: string, choices: [string, string][], change: (value: string) => Promise<Outcome>}} spec `choices`: value and words
 * @returns {{node: HTMLElement, show: (value: string) => void}}
 */
export function choice({ label, choices, change }) {
  const id = freshId();
  const told = refusal();
  const select = h("select", { id, aria: { describedby: told.id } }, choices.map(([value, words]) => h("option", { value }, words)));
  let kept = "";
  select.addEventListener("change", async () => {
    select.disabled = true;
    const { message } = await change(select.value);
    select.disabled = false;
    select.value = kept;
    told.say(message);
    select.focus();
  });
  return {
    node: h("div", { class: "control-field" }, h("label", { for: id }, label), select, told),
    show: (value) => {
      kept = value;
      select.value = value;
    },
  };
}

/**
 * A button whose work takes a moment; a refusal is said below it.
 * @param {{words: string, tone?: string, work: () => Promise<Outcome | void>}} spec
 * @returns {HTMLElement}
 */
export function action({ words, tone = "", work }) {
  const told = refusal();
  const button = h("button", { type: "button", class: tone, aria: { describedby: told.id } }, words);
  button.addEventListener("click", async () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    const outcome = await work();
    button.setAttribute("aria-disabled", "false");
    told.say(outcome?.message ?? "", outcome?.isTaken);
  });
  return h("div", { class: "control-action" }, button, told);
}

/**
 * @param {() => Promise<unknown>} work
 * @param {string} [done] what to say when it went well
 * @returns {Promise<Outcome>}
 */
export async function tried(work, done = "") {
  try {
    await work();
    return { isTaken: true, message: done };
  } catch (error) {
    return { isTaken: false, message: wordsOf(error) };
  }
}

/**
 * A place for what the hub said to a change.
 * @returns {HTMLElement & {say: (words: string, isGood?: boolean) => void}}
 */
function refusal() {
  const node = h("p", { class: "control-told", id: freshId(), role: "status", hidden: true });
  return Object.assign(node, {
    say: (/** @type {string} */ words, isGood = false) => {
      node.hidden = words === "";
      node.classList.toggle("good", isGood);
      replace(node, ...coded(words));
    },
  });
}

/** @returns {string} what the person's language writes before decimals */
function decimalPoint() {
  return new Intl.NumberFormat(locale()).formatToParts(0.5).find(({ type }) => type === "decimal")?.value ?? ".";
}

/** @returns {string} an id that no other control has */
function freshId() {
  made += 1;
  return `control-${made}`;
}

/**
 * Show a list anew only where it is another one, so that the focus stays.
 * @template T
 * @param {HTMLElement} node
 * @param {readonly T[]} items
 * @param {(item: T) => string} keyOf
 * @param {(item: T) => Node} draw
 * @returns {boolean} whether it was drawn
 */
export function keyedList(node, items, keyOf, draw) {
  const key = items.map(keyOf).join("\n");
  if (node.dataset.key === key) return false;
  node.dataset.key = key;
  replace(node, items.map(draw));
  return true;
}
