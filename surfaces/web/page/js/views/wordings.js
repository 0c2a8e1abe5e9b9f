/** The hub's own sentences in the page's language, by the codes that come beside the English ones. */

import { agentTitle, has, hubLocale, locale, t } from "../words.js";
import { h } from "../dom.js";
import { clock } from "../format.js";
import { hubClock } from "../zones.js";
import { dayWithYear } from "./days.js";
import { kindOf, sentenceOf } from "./permission-model.js";

/** @typedef {import("../types").Phrasing} Phrasing */
/** @typedef {import("../types").Permission} Permission */

const DEPTH_MAX = 8;
/** @type {Intl.NumberFormatOptions} */
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/**
 * @param {Phrasing | null | undefined} wording
 * @param {string} text what the hub says, shown where the page has no words for the code
 * @returns {string}
 */
export function worded(wording, text) {
  return said(wording, DEPTH_MAX) || text;
}

/** What `pulse connect --test` lets an agent's hook ask for. */
const TEST_COMMAND = "echo This is a test of Pulse";

/** @param {Pick<import("../types").Prediction, "permission">} card @returns {boolean} whether it only tests that an agent's request arrives */
export const isTest = ({ permission }) => permission?.text === TEST_COMMAND;

/** What a card is called where it is listed. @param {import("../types").Prediction} card */
export const titleOf = (card) => (isTest(card) ? t("permission.test") : promptOf(card));

/**
 * What a card proposes, to be read; what runs is the prompt. Of an agent's request the hub words the first line, unless it
 * is a command or a question.
 * @param {import("../types").Prediction} card
 */
export function promptOf({ permission, promptWorded, prompt }) {
  if (!permission || ["command", "question"].includes(permission.act)) return worded(promptWorded, prompt);
  const target = [permission.target, ...permission.otherFiles].join(", ");
  return [sentence({ ...permission, target }), ...prompt.split("\n").slice(1)].join("\n");
}

/**
 * Who wants what, in one sentence.
 * @param {Permission} permission
 * @returns {string}
 */
export function sentence(permission) {
  const { key, target, folder, question } = sentenceOf(permission);
  const own = permission.questions[0]?.textWorded;
  const text = worded(own, question);
  if (own) return text; // the hub's own question needs nobody to introduce it
  const place = folder ? t("permission.place", { name: folder }) : "";
  return t(key, { agent: asker(permission), target, place, text, tool: permission.tool });
}

/**
 * Who asks: the agent, and which of those that it started itself.
 * @param {Permission} permission
 * @returns {string}
 */
function asker(permission) {
  const agent = agentTitle(permission.agent);
  const kind = kindOf(permission);
  if (!permission.subagent) return agent;
  return kind ? t("permission.subagent-of-kind", { agent, kind }) : t("permission.subagent", { agent });
}

/** What would run, in one line. @param {Pick<import("../types").PlannedRun, "summary" | "summaryWorded">} runs */
export const summaryOf = ({ summaryWorded, summary }) => worded(summaryWorded, summary);

/** Why a card comes. @param {import("../types").Prediction} card */
export const reasoningOf = ({ reasoningWorded, reasoning }) => worded(reasoningWorded, reasoning);

/**
 * The same with the commands that are quoted in it set as code.
 * @param {Phrasing | null | undefined} wording
 * @param {string} text
 * @returns {(string | Node)[]}
 */
export function wordedWithCode(wording, text) {
  /** @type {(string | Node)[]} */
  const parts = [];
  let rest = worded(wording, text);
  for (const command of commandsIn(wording?.about ?? wording)) {
    const at = rest.indexOf(command);
    if (at < 0) continue;
    parts.push(rest.slice(0, at).replace(/[“„`]$/u, ""), h("code", { class: "mono", dir: "ltr" }, command));
    rest = rest.slice(at + command.length).replace(/^[“”`]/u, "");
  }
  return [...parts, rest];
}

/** @param {Phrasing | null | undefined} wording @returns {string[]} the commands in a sentence on a grant, in their order */
function commandsIn(wording) {
  if (wording?.code === "grant.exactly") return [wording.values.text];
  return wording?.code === "grant.calls" ? wording.listed.filter((one) => /^`.+`$/s.test(one)).map((one) => one.slice(1, -1)) : [];
}

/**
 * @param {Phrasing | null | undefined} wording
 * @param {number} depth phrases within phrases
 * @returns {string}
 */
function said(wording, depth) {
  const key = `worded.${wording?.code}`;
  if (!wording || !depth || !has(key)) return "";
  const { values, listed, day, about, numbers = {}, parts = {}, moment } = wording;
  const inner = said(about, depth - 1);
  const within = Object.entries(parts).map(([slot, part]) => [slot, said(part, depth - 1)]);
  if ((about && !inner) || within.some(([, text]) => !text)) return "";
  const written = Object.entries(numbers).map(([slot, number]) => [slot, number.toLocaleString(locale(), ONE_DECIMAL)]);
  const more = Object.fromEntries([...within, ...written]);
  const hours = Object.fromEntries(Object.entries(values).map(([slot, value]) => [slot, hubClock(value)]));
  const agent = values.agent ? { agent: agentTitle(values.agent) } : {};
  const names = new Intl.ListFormat(hubLocale(), { type: "conjunction" }).format(listed);
  const own = { time: moment ? clock(moment, Date.now()) : "", listed: names, day: day ? dayWithYear(day) : "", about: inner };
  return t(key, { ...own, ...hours, ...agent, ...more });
}
