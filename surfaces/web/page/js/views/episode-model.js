/** An episode without the page: which steps matter most, and how a rail's numbers read. Pure. */

/** @typedef {import("../types").StepView} StepView */

/** Steps that only say how the message travelled, or what was noted: drawn small. */
const ASIDE = new Set(["delivery", "moved", "learned"]);
/** Reasons why nothing runs by itself. They come together, and the first that holds says what the others say. */
const NOT_ALONE = ["first-run", "not-autonomous", "earned", "not-now", "follow-up", "guessed", "auto-execute", "confidence", "novel"].map((name) => `gate.${name}`);
/** A step shows this many lines at once; the others are unfolded. */
export const LINES_SHOWN = 6;

/**
 * @param {StepView} step
 * @returns {boolean}
 */
export function isAside(step) {
  return ASIDE.has(step.kind);
}

/**
 * Split the lines of a step into those that are shown and those that are unfolded; a single rest is shown as well.
 * @param {readonly string[]} lines
 * @returns {{shown: readonly string[], folded: readonly string[]}}
 */
export function folded(lines) {
  if (lines.length <= LINES_SHOWN + 1) return { shown: lines, folded: [] };
  return { shown: lines.slice(0, LINES_SHOWN), folded: lines.slice(LINES_SHOWN) };
}

/**
 * Name a rail's number and say what it counts: the unit is the last part of its name.
 * @param {string} name for example `day_cap_usd`, `interval_s`, `confidence`
 * @returns {{name: string, unit: "usd" | "s" | ""}}
 */
export function numberName(name) {
  const unit = /_(usd|s)$/.exec(name)?.[1] ?? "";
  const bare = unit === "" ? name : name.slice(0, -unit.length - 1);
  return { name: bare.replaceAll("_", " "), unit: /** @type {"usd" | "s" | ""} */ (unit) };
}

/**
 * Count how the rails ruled.
 * @param {readonly import("../types").VerdictView[]} verdicts
 * @returns {{pass: number, ask: number, block: number}}
 */
export function tally(verdicts) {
  const counts = { pass: 0, ask: 0, block: 0 };
  for (const { outcome } of verdicts) counts[outcome] += 1;
  return counts;
}

/**
 * Leave out of the rails' verdicts what another one says already; the episode keeps them all.
 * @param {readonly import("../types").VerdictView[]} verdicts
 * @returns {import("../types").VerdictView[]}
 */
export function saidOnce(verdicts) {
  const asking = new Set(verdicts.filter(({ outcome }) => outcome === "ask").map(({ rule }) => rule));
  const first = NOT_ALONE.find((rule) => asking.has(rule));
  return verdicts.filter(({ outcome, rule }) => outcome !== "ask" || rule === first || !NOT_ALONE.includes(rule));
}
