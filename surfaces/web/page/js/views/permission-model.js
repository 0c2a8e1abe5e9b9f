/** What an agent asks leave for, as parts to draw. Pure. */

/** @typedef {import("../types").Permission} Permission */
/** @typedef {{text: string, isDangerous: boolean}} Piece */

/** Told only where there is nothing else to tell. */
const QUIET = new Set(["reads", "writes_in_workspace", "runs_project_code"]);
const TARGET_CHARS_MAX = 80;

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
  return { names: loud.length ? loud : [...effects], isLoud: loud.length > 0 };
}

/** @param {string} text */
function oneLine(text) {
  const whole = text.split(/\s+/).join(" ").trim();
  return whole.length > TARGET_CHARS_MAX ? `${whole.slice(0, TARGET_CHARS_MAX - 1)}…` : whole;
}
