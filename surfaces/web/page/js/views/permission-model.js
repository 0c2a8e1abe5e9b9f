/** What an agent asks leave for, as parts to draw. Pure. */

/** @typedef {import("../types").Permission} Permission */
/** @typedef {{text: string, isDangerous: boolean}} Piece */

/** Told only where there is nothing else to tell. */
const QUIET = new Set(["reads", "writes_in_workspace", "runs_project_code"]);
const TARGET_CHARS_MAX = 80;
const KIND_CHARS_MAX = 40;

/**
 * The key of the sentence that says who wants what, and what goes into it.
 * @param {Permission} permission
 * @returns {{key: string, target: string, folder: string, question: string}}
 */
export function sentenceOf({ act, target, folder, effects, questions }) {
  const isDeleted = act === "command" && target !== "" && effects.includes("deletes");
  return {
    key: `permission.asks-${isDeleted ? "delete" : act}`,
    target: oneLine(target),
    folder: oneLine(folder.replace(/\/+$/, "").split("/").at(-1) ?? ""),
    question: questions[0]?.text ?? "",
  };
}

/**
 * What kind the agent calls one that it started itself.
 * @param {Permission} permission
 * @returns {string}
 */
export function kindOf({ subagentType }) {
  return oneLine(subagentType ?? "", KIND_CHARS_MAX);
}

/**
 * The whole text in parts. A mark that fits nowhere takes no text away.
 * @param {Permission} permission
 * @returns {Piece[]}
 */
export function piecesOf({ text, marks }) {
  const characters = [...text]; // the hub counts characters, not halves of them
  /** @type {Piece[]} */
  const pieces = [];
  let at = 0;
  for (const { start, end } of marks) {
    if (start < at || end <= start || end > characters.length) continue;
    if (start > at) pieces.push({ text: characters.slice(at, start).join(""), isDangerous: false });
    pieces.push({ text: characters.slice(start, end).join(""), isDangerous: true });
    at = end;
  }
  if (at < characters.length) pieces.push({ text: characters.slice(at).join(""), isDangerous: false });
  return pieces;
}

/**
 * The effects to tell: the dangerous ones, or else all.
 * @param {Permission} permission
 * @returns {{names: string[], isLoud: boolean}}
 */
export function effectsOf({ effects }) {
  const loud = effects.filter((effect) => !QUIET.has(effect));
  const quiet = effects.length > 1 ? effects.filter((effect) => effect !== "reads") : [...effects]; // what does more says more
  return { names: loud.length ? loud : quiet, isLoud: loud.length > 0 };
}

const OWN = "pulse-";
/** `Bash(npm run test:*)`, as an agent writes a rule. */
const RULE = /\(([^()]*?)[ :]?\*\)/g;
/** `rm *` */
const BEGINNING = /([^\s,()]+)[ :]\*/g;

/** @param {string} [option] @returns {boolean} whether it is the hub's own, and stands among the permissions */
export const isOurs = (option) => option?.startsWith(OWN) ?? false;

/**
 * The ways to answer beside yes and no: those for this once and those that are a no, the hub's own ones that last, and
 * those of the agent that last.
 * @template {{id: string, lasts: string, refuses: boolean}} T
 * @param {readonly T[]} options
 * @returns {{plain: T[], ours: T[], wide: T[]}}
 */
export function offersOf(options) {
  const lasting = options.filter(({ lasts, refuses }) => lasts !== "once" && !refuses);
  return {
    plain: options.filter(({ lasts, refuses }) => lasts === "once" || refuses),
    ours: lasting.filter(({ id }) => isOurs(id)),
    wide: lasting.filter(({ id }) => !isOurs(id)),
  };
}

/**
 * What an agent's offer covers, as far as its label has patterns: the beginnings of commands.
 * @param {string} label
 * @returns {string[]} nothing where it names none
 */
export function coversOf(label) {
  const rules = [...label.matchAll(RULE)].map(([, rule]) => rule.trim());
  const rest = label.replace(RULE, "");
  return [...new Set([...rules, ...[...rest.matchAll(BEGINNING)].map(([, word]) => word)])].filter(Boolean);
}

/** The ends that a person may choose for what need not be asked any more. */
export const ENDS = ["proposed", "hour", "today", "week", "date"];
const HOUR_MS = 3_600_000;
const WEEK_DAYS = 7;

/**
 * When a chosen end is; days end a minute before midnight where the person is.
 * @param {string} end one of `ENDS`
 * @param {string} day `YYYY-MM-DD`, of the end `date`
 * @param {Date} now
 * @returns {Date | null} null for the proposed one, and for a day that is none
 */
export function grantEnd(end, day, now) {
  if (end === "hour") return new Date(now.getTime() + HOUR_MS);
  if (end === "today") return new Date(now.getFullYear(), now.getMonth(), now.getDate(), 23, 59);
  if (end === "week") return new Date(now.getFullYear(), now.getMonth(), now.getDate() + WEEK_DAYS, 23, 59);
  const last = new Date(`${day}T23:59`);
  return end === "date" && !Number.isNaN(last.getTime()) ? last : null;
}

/** The files and folders that were written, one a line. @param {string} text @returns {string[]} */
export function grantPaths(text) {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** @param {string} text @param {number} [most] */
function oneLine(text, most = TARGET_CHARS_MAX) {
  const whole = text.split(/\s+/).join(" ").trim();
  return whole.length > most ? `${whole.slice(0, most - 1)}…` : whole;
}
