/**
 * Which failures wait for help: of the last day, not dealt with, and not overtaken by a newer card that runs, or would
 * run, the very same command.
 */

/** @typedef {import("./state.js").Card} Card */
/** @typedef {import("./types").Prediction} Prediction */

const SHOWN_MS = 24 * 3_600_000;

/**
 * Whether a card that failed still waits for help.
 * @param {Card} card
 * @param {number} now ms
 */
export function needsHelp({ prediction: { settled, createdAt, mendedAt }, overtaken }, now) {
  const isDealtWith = settled?.verb === "ignore" || settled?.verb === "fix" || Boolean(mendedAt);
  return !overtaken && !isDealtWith && now - Date.parse(settled?.at ?? createdAt) < SHOWN_MS;
}

/**
 * The cards, where of those that run the command of this one all but the newest are overtaken: how the command ended
 * before is no news once it is run, or offered, anew.
 * @param {Record<string, Card>} cards
 * @param {Prediction} told
 * @returns {Record<string, Card>}
 */
export function withOvertaken(cards, told) {
  const command = commandOf(told);
  if (!command) return cards;
  const alike = Object.values(cards).filter(({ prediction }) => commandOf(prediction) === command);
  const last = Math.max(...alike.map(({ prediction }) => Date.parse(prediction.createdAt)));
  const marked = alike.map((one) => [one.prediction.id, { ...one, overtaken: Date.parse(one.prediction.createdAt) < last }]);
  return { ...cards, ...Object.fromEntries(marked) };
}

/** The command that a card runs, and where; "" where an agent is handed words. @param {Prediction} prediction */
function commandOf({ runs }) {
  return runs && runs.prompt === "none" && runs.argv.length ? JSON.stringify([runs.argv, runs.folder]) : "";
}
