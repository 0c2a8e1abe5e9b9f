/** What an agent asks leave for: its exact text, what that would do, and the ways to answer that the agent offers. */

import { coded } from "./coded.js";
import { broken, h, icon } from "../dom.js";
import { agentTitle, t } from "../words.js";
import { markdown } from "./markdown.js";
import { coversOf, effectsOf, offersOf, piecesOf } from "./permission-model.js";
import { needStyles } from "./styles.js";
import { worded } from "./wordings.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("../types").Permission} Permission */
/** @typedef {import("../types").AgentQuestion} AgentQuestion */
/** @typedef {import("../types").PermissionOption} PermissionOption */
/** @typedef {{reason?: string, permission?: {option?: string, answers?: Record<string, string[]>, until?: string, paths?: string[]}}} More what is answered beyond yes or no */
/** @typedef {(verb: string, input: import("../answers.js").Input, more: More) => void} Act */

/** @type {Record<string, string>} */
const LINES = { "+": "added", "-": "removed", "@": "hunk" };

await needStyles("result.css", "permission.css");

/**
 * Everything that a person has to see before a yes.
 * @param {Permission} permission
 * @returns {(Node | null)[]}
 */
export function asked(permission) {
  const { act, text, leftOut, unusual, unusualWorded } = permission;
  const { names, isLoud } = effectsOf(permission);
  return [
    text ? textOf(permission) : null,
    leftOut ? h("p", { class: "note warn" }, t("permission.left-out", { count: leftOut })) : null,
    names.length ? h("p", { class: isLoud ? "effects dotted loud" : "effects dotted", aria: { label: t("permission.effects") } }, names.map((one) => h("span", null, t(`effect.${one}`)))) : null,
    unusual.length ? h("ul", { class: "note warn notices" }, unusual.map((one, place) => h("li", { dir: "auto" }, worded(unusualWorded[place], one)))) : null,
    act !== "question" && !text && !permission.target ? h("p", { class: "quiet" }, t("permission.nothing")) : null,
  ];
}

/**
 * The ways to answer beside yes and no: options, another text, questions.
 * @param {Prediction} prediction
 * @param {Act} act
 * @returns {HTMLElement | null}
 */
export function waysToAnswer({ id, permission, editable, alwaysAsked }, act) {
  if (!permission) return null;
  if (permission.act === "question") return questions(permission.questions, act);
  const options = permission.dialogOnly ? permission.options.filter(({ refuses }) => refuses) : permission.options;
  const { plain, ours, wide } = offersOf(options);
  const buttons = plain.map((one) => optionButton(one, permission.agent, act));
  if (editable && !permission.dialogOnly) buttons.unshift(h("button", { type: "button", class: "small", on: { click: () => act("edit", "tap", {}) } }, icon("edit"), t("permission.change")));
  const broader = alwaysAsked ? null : wideOffers(wide, permission, act); // what is too sensitive for a permission is not offered as one
  return h("div", { class: "options" }, buttons, lasting(id, permission.agent, ours, broader, act), wordsOfNo(act));
}

/**
 * What lets more than this once go on stands behind a press, lest it be taken for the plain yes: the hub's own offers,
 * which are narrow and end, then those of the agent.
 * @param {string} id @param {string} agent @param {readonly PermissionOption[]} ours @param {Node | null} wide @param {Act} act
 */
function lasting(id, agent, ours, wide, act) {
  if (!ours.length && !wide) return null;
  return h("details", { class: "lasting" }, h("summary", null, t("permission.lasting")), h("div", { class: "options" }, ours.map((one) => optionButton(one, agent, act)), otherwise(id, ours, act), wide));
}

/** What the agent itself would let on, folded once more, each with what it covers. @param {readonly PermissionOption[]} wide @param {Permission} permission @param {Act} act */
function wideOffers(wide, permission, act) {
  if (!wide.length) return null;
  const agent = agentTitle(permission.agent);
  const rows = wide.map((one) => h("li", { class: "stack" }, optionButton(one, permission.agent, act), h("p", { class: "facts", dir: "auto" }, coverWords(one))));
  return h("details", { class: "wide" }, h("summary", null, t("permission.wide", { agent })), h("p", { class: "facts" }, t("permission.wide-says", { agent })), h("ul", { class: "stack" }, rows));
}

/** @param {PermissionOption} option @returns {string} what would not be asked any more, and for how long */
function coverWords({ label, lasts }) {
  const covers = coversOf(label);
  const what = covers.length ? t("permission.covers", { what: covers.map((one) => `“${one}”`).join(", ") }) : t("permission.covers-all");
  return `${what} ${t(`permission.lasts-${lasts}`)}`;
}

/** Another end or fewer files, for what the hub itself offers. @param {string} id @param {readonly PermissionOption[]} ours @param {Act} act */
function otherwise(id, ours, act) {
  if (!ours.length) return null;
  const root = h("details", { class: "otherwise" }, h("summary", null, t("permission.grant-other")));
  root.addEventListener("toggle", async () => root.append((await import("./grant.js")).chooser(id, ours, act)), { once: true });
  return root;
}

/** An agent's label must not pass for its opposite, nor for a sentence of the page's. @param {PermissionOption} option @param {string} agent @param {Act} act */
function optionButton({ id, label, refuses, note, labelWorded, noteWorded }, agent, act) {
  const verb = refuses ? "reject" : "approve";
  const answer = refuses ? "no" : "yes";
  const words = labelWorded ? t(`permission.${answer}`, { label: worded(labelWorded, label) }) : t(`permission.${answer}-quoted`, { agent: agentTitle(agent), label });
  const give = () => act(verb, "tap", { permission: { option: id } });
  const said = h("span", { dir: "auto" }, labelWorded ? coded(words) : words, note ? h("span", { class: "facts" }, ` · ${worded(noteWorded, note)}`) : null);
  return h("button", { type: "button", class: "small", dataset: refuses ? { option: id } : { option: id, starts: "" }, on: { click: give } }, icon(verb), said);
}

/** A no with a word about what to do instead, which the agent hears. @param {Act} act */
function wordsOfNo(act) {
  const field = h("input", { type: "text", maxlength: 500, dir: "auto", aria: { label: t("permission.instead") }, placeholder: t("permission.instead") });
  const form = h("form", { class: "row instead" }, field, h("button", { type: "submit", class: "small" }, t("permission.say-no")));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    act("reject", "key", { reason: field.value.trim() });
  });
  return form;
}

/** @param {Permission} permission */
function textOf(permission) {
  const { act, text } = permission;
  if (act === "plan") return h("div", { class: "written asked", dir: "auto", tabindex: 0, role: "group", aria: { label: t("permission.text") } }, markdown(text));
  const body = act === "edit" ? text.split("\n").map(diffLine) : piecesOf(permission).map(({ text: piece, isDangerous }) => (isDangerous ? h("mark", null, broken(piece)) : broken(piece))).flat();
  return h("pre", { class: act === "edit" ? "asked diff mono" : "asked mono", tabindex: 0, role: "group", aria: { label: t("permission.text") }, dir: "ltr" }, body);
}

/** @param {string} line */
function diffLine(line) {
  return h("span", { class: `line ${LINES[line[0]] ?? "same"}` }, `${line}\n`);
}

/** @param {readonly AgentQuestion[]} list @param {Act} act */
function questions(list, act) {
  const parts = list.map(fieldsOf);
  const button = h("button", { type: "submit", class: "main", dataset: { starts: "" } }, icon("approve"), t("permission.answer"));
  const form = h("form", { class: "stack questions" }, parts.map(({ root }) => root), h("div", { class: "row end" }, button));
  const check = () => (button.disabled = parts.some(({ given }) => given().length === 0));
  form.addEventListener("input", check);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const answers = Object.fromEntries(parts.map(({ id, given }) => [id, given()]));
    act("approve", "key", { permission: { answers } });
  });
  check();
  return form;
}

/** @param {AgentQuestion} asking @returns {{id: string, root: HTMLElement, given: () => string[]}} */
function fieldsOf({ id, text, textWorded, heading, choices, several, ownWords }) {
  const boxes = choices.map(({ label, labelWorded, description }) => {
    const box = h("input", { type: several ? "checkbox" : "radio", name: `q-${id}`, value: label });
    const words = h("span", { dir: "auto" }, worded(labelWorded, label), description ? h("span", { class: "facts" }, ` ${description}`) : null);
    return { box, row: h("label", { class: "row choice" }, box, words) };
  });
  const own = h("input", { type: "text", maxlength: 2_000, dir: "auto", aria: { label: t("permission.own-words") }, placeholder: choices.length ? t("permission.own-words") : "" });
  const given = () => {
    const words = own.value.trim();
    return words ? [words] : boxes.filter(({ box }) => box.checked).map(({ box }) => box.value);
  };
  const asking = textWorded ? t(choices.length ? "permission.your-answer" : "permission.what-it-needs") : text; // the headline has asked
  const legend = h("legend", { dir: "auto" }, heading ? h("span", { class: "badge" }, heading) : null, " ", asking);
  return { id, root: h("fieldset", null, legend, boxes.map(({ row }) => row), ownWords ? own : null), given };
}
