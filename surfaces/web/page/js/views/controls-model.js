/** What the controls mean, without the page: what was typed, what is sent, and what the hub made of it. */

/**
 * @typedef {import("../types").ConfigAnswer} ConfigAnswer
 * @typedef {import("../types").ConfigPatch} ConfigPatch
 * @typedef {"usd" | "percent" | "hour" | "count"} Kind what a field holds: dollars, hundredths of one, a full hour, so many of a day.
 * @typedef {"costCapPerHour" | "costCapPerDay" | "costCapPerMonth" | "showThreshold" | "suggestThreshold" | "autoExecuteThreshold"
 *   | "quietHoursStart" | "quietHoursEnd" | "interruptionsPerDay"} FieldName
 * @typedef {"hour" | "evening" | "tomorrow"} QuietChoice
 * @typedef {"emergency" | "file" | "off" | "paused" | "alone" | "cards"} Level
 */

/** The most that the contract takes for a cap, in dollars. */
export const USD_MAX = 1_000_000;
/** The most interruptions that the contract takes for a day. */
const COUNT_MAX = 1_000;
const TIME = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/;
const PERCENT = 100;
const HOURS_PER_DAY = 24;
const HOUR_MS = 3_600_000;
const EVENING_HOUR = 22;
const MORNING_HOUR = 8;

/** @type {Readonly<Record<FieldName, Kind>>} */
export const KINDS = {
  costCapPerHour: "usd",
  costCapPerDay: "usd",
  costCapPerMonth: "usd",
  showThreshold: "percent",
  suggestThreshold: "percent",
  autoExecuteThreshold: "percent",
  quietHoursStart: "hour",
  quietHoursEnd: "hour",
  interruptionsPerDay: "count",
};

/** Three digits after a comma or point could be thousands as well, so an amount has at most two. */
const FORMS = { usd: /^(\d+(\.\d{1,2})?|\.\d{1,2})$/, percent: /^(\d+(\.\d+)?|\.\d+)$/, hour: /^\d+$/, count: /^\d+$/ };

/**
 * Read what a person typed. A comma is a decimal point for those who write it so.
 * @param {Kind} kind
 * @param {string} text
 * @returns {number | null} in the contract's unit (dollars, 0 to 1, hour); null where it is no such value.
 */
export function parsed(kind, text) {
  const plain = text.trim().replace(/[\s$%]/g, "").replace(",", ".");
  if (!FORMS[kind].test(plain)) return null;
  const value = Number(plain);
  if (kind === "hour") return value < HOURS_PER_DAY ? value : null;
  if (kind === "count") return value <= COUNT_MAX ? value : null;
  if (kind === "percent") return value <= PERCENT ? Number((value / PERCENT).toFixed(4)) : null;
  return value <= USD_MAX ? value : null;
}

/**
 * Read times of the day, as a person lists them: "9:00, 13:00"; nothing means none.
 * @param {string} text
 * @returns {string[] | null} sorted, as the contract writes them; null where one is no time of the day.
 */
export function clockTimes(text) {
  const parts = text.split(/[,;\s]+/).filter(Boolean);
  const found = parts.map((part) => TIME.exec(part));
  if (found.includes(null)) return null;
  return [...new Set(found.map((one) => `${one?.[1].padStart(2, "0")}:${one?.[2]}`))].sort();
}

/**
 * Write a value as its field shows it, without a unit.
 * @param {Kind} kind
 * @param {number} value
 * @param {string} [point] what the person's language writes before decimals
 * @returns {string}
 */
export function written(kind, value, point = ".") {
  if (kind === "usd") return (Number(value.toFixed(2)) === value ? value.toFixed(2) : String(value)).replace(".", point);
  return (kind === "percent" ? String(Number((value * PERCENT).toFixed(2))) : String(value)).replace(".", point);
}

/**
 * Name what the hub did not take over, though it answered without a problem: the file forbids it.
 * @param {ConfigPatch} patch
 * @param {ConfigAnswer} answer
 * @returns {string[]} the fields of the patch whose value differs in the answer.
 */
export function notTaken(patch, answer) {
  const values = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (answer));
  return Object.entries(patch)
    .filter(([name, value]) => name in values && typeof value !== "object" && values[name] !== value)
    .map(([name]) => name);
}

/**
 * Make the change that switches one channel on or off and leaves the others as they are.
 * @param {ConfigAnswer} config
 * @param {string} channel
 * @param {boolean} on
 * @returns {ConfigPatch}
 */
export function channelPatch(config, channel, on) {
  const off = config.channelViews.filter((view) => (view.name === channel ? !on : !view.enabled));
  return /** @type {ConfigPatch} */ ({ disabledChannels: off.map((view) => view.name) });
}

/**
 * Say which moments do-not-disturb may end at; one that is nearly there is left out.
 * @param {Date} now in the zone of this device.
 * @returns {{choice: QuietChoice, until: Date}[]}
 */
export function quietChoices(now) {
  const evening = at(now, 0, EVENING_HOUR);
  const tomorrow = at(now, 1, MORNING_HOUR);
  const hour = new Date(now.getTime() + HOUR_MS);
  /** @type {{choice: QuietChoice, until: Date}[]} */
  const choices = [{ choice: "hour", until: hour }];
  if (evening > hour) {
    choices.push({ choice: "evening", until: evening });
  }
  return [...choices, { choice: "tomorrow", until: tomorrow }];
}

/**
 * Read the value of a `datetime-local` input.
 * @param {string} value
 * @param {Date} now
 * @returns {Date | null} null where it is empty or over.
 */
export function laterThan(value, now) {
  const moment = new Date(value);
  return value !== "" && moment > now ? moment : null;
}

/**
 * Write a moment as a `datetime-local` input takes it, in the zone of this device.
 * @param {Date} moment
 * @returns {string} `YYYY-MM-DDTHH:MM`
 */
export function localInput(moment) {
  const shifted = new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
}

/**
 * Say which level of the kill switch holds (CROSSPOLL 3.7), or how Pulse acts when none does.
 * @param {import("../types").CrossPollStatus} status
 * @returns {Level}
 */
export function levelOf(status) {
  if (!status.enabled) {
    if (status.killedBy === "emergency") return "emergency";
    return status.killedBy === "file" ? "file" : "off";
  }
  if (status.state === "paused") return "paused";
  return status.autonomous ? "alone" : "cards";
}

/**
 * @param {Date} now
 * @param {number} days from today.
 * @param {number} hour
 * @returns {Date}
 */
function at(now, days, hour) {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}
