/** What a card would run, in one line. */

import { broken, h, replace } from "../dom.js";
import { summaryOf, worded } from "./wordings.js";

/** @typedef {import("../types").Prediction} Prediction */
/** @typedef {import("../types").PlannedRun} PlannedRun */

/**
 * What would run, in one line.
 * @param {Prediction} prediction
 * @returns {string}
 */
export function runsLine({ runs }) {
  if (!runs) return "";
  return runs.summary ? `▶ ${summaryOf(runs)}` : `▶ ? ${worded(runs.problemWorded, runs.problem)}`;
}

/**
 * Draw that line: each command in it as code, what is said of them as text.
 * @param {HTMLElement} node
 * @param {Prediction} prediction
 */
export function drawRuns(node, prediction) {
  const line = runsLine(prediction);
  if (node.textContent === line) return;
  const { runs } = prediction;
  const parts = runs?.summary ? runsParts(runs) : [];
  const drawn = parts.map(([text, isCode]) => h(isCode ? "code" : "span", isCode ? { class: "mono" } : null, broken(text)));
  replace(node, ...(drawn.length ? ["▶ ", ...drawn] : [line]));
}

/**
 * @param {PlannedRun} runs
 * @returns {[text: string, isCode: boolean][]} a plan's line in its parts: each command, and what is said of it
 */
export function runsParts(runs) {
  const { command, then } = runs;
  const summary = summaryOf(runs);
  const next = then && summary.endsWith(summaryOf(then)) ? then : null;
  const own = next ? summary.slice(0, -summaryOf(next).length) : summary;
  const typed = own.startsWith(command) ? command : "";
  /** @type {[string, boolean][]} */
  const parts = [[typed, true], [own.slice(typed.length), false]];
  return [...parts.filter(([text]) => text), ...(next ? runsParts(next) : [])];
}
