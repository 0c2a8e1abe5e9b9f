/** Times, shares and money as the person's language writes them, on this browser's clock. Pure: `now` is an argument. */

import { hubLocale, lang, locale } from "./words.js";

/** @typedef {Date | string | number} Moment a date, an ISO time, or milliseconds since 1970 */

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const CENTS_BELOW_USD = 0.1;

/** Lengths of time in the hub's own words (hub/kit/text.py), so that they read the same in its sentences and beside them. */
const SAID = {
  en: { units: ["s", "min", "h"], days: ["day", "days", "days"], ago: "{span} ago", until: "in {span}", now: "now" },
  de: { units: ["s", "min", "h"], days: ["Tag", "Tage", "Tagen"], ago: "vor {span}", until: "in {span}", now: "jetzt" },
};
/** Hours as the hub's sentences write them. */
const HOURS = "h23";

/** @type {Map<string, any>} Intl objects are slow to make, so each is made once */
const made = new Map();

/**
 * How long ago: `2 min ago`.
 * @param {Moment} date
 * @param {Moment} now
 * @returns {string}
 */
export function age(date, now) {
  return relative(Math.min(0, ms(date) - ms(now)));
}

/**
 * How long until: `in 12 min`.
 * @param {Moment} date
 * @param {Moment} now
 * @returns {string}
 */
export function until(date, now) {
  return relative(Math.max(0, ms(date) - ms(now)));
}

/**
 * A length of time, its largest fitting unit only, as the hub writes it: `12 s`, `3 h`, `2 days`.
 * @param {number} lengthMs
 * @returns {string}
 */
export function span(lengthMs) {
  return counted(largest(lengthMs));
}

/**
 * How long a run took, rounded to the second first, as the hub's sentences have it (hub/verify/outcome.py).
 * @param {number} lengthMs
 * @returns {string}
 */
export function lasted(lengthMs) {
  return span(Math.round(lengthMs / SECOND_MS) * SECOND_MS);
}

/**
 * The time of day, with the day where that is not today.
 * @param {Moment} date
 * @param {Moment} [now] left out: the time of day only
 * @returns {string}
 */
export function clock(date, now) {
  const time = intl(Intl.DateTimeFormat, { hour: "2-digit", minute: "2-digit", hourCycle: HOURS }).format(ms(date));
  return now === undefined || isSameDay(date, now) ? time : `${dayName(date, now)} ${time}`;
}

/**
 * The day in few words: `Mon`, in German `Mo.`, or `12 Mar` when it is more than six days away.
 * @param {Moment} date
 * @param {Moment} now
 * @returns {string}
 */
export function dayName(date, now) {
  const isNear = Math.abs(ms(date) - ms(now)) < 6 * DAY_MS;
  if (!isNear) return intl(Intl.DateTimeFormat, { day: "numeric", month: "short" }).format(ms(date));
  const parts = intl(Intl.DateTimeFormat, { weekday: "short", day: "numeric" }).formatToParts(ms(date)); // alone, a German weekday has no full stop
  return parts.find(({ type }) => type === "weekday")?.value ?? "";
}

/**
 * The name of a day's weekday.
 * @param {Moment} date
 * @returns {string}
 */
export function weekday(date) {
  return intl(Intl.DateTimeFormat, { weekday: "long" }).format(ms(date));
}

/**
 * A moment that nobody takes for another: `Tomorrow, Sunday 29 November, 10:00`; with its year where that is another.
 * @param {Moment} date
 * @param {Moment} now
 * @returns {string}
 */
export function inFull(date, now) {
  return [nearDay(date, now), dayInFull(date, now), clock(date)].filter(Boolean).join(", ");
}

/**
 * The day of a moment as people name it: `Today`, `Yesterday`, or the day in full.
 * @param {Moment} date
 * @param {Moment} now
 * @returns {string}
 */
export function dayOf(date, now) {
  return nearDay(date, now) || dayInFull(date, now);
}

/**
 * A day with its year: `8 June 2026`.
 * @param {Moment} date
 * @returns {string}
 */
export function fullDay(date) {
  return intl(Intl.DateTimeFormat, { dateStyle: "long" }).format(ms(date));
}

/**
 * Day and time in full, for titles and `<time>`.
 * @param {Moment} date
 * @returns {string}
 */
export function fullTime(date) {
  return intl(Intl.DateTimeFormat, { dateStyle: "full", timeStyle: "medium", hourCycle: HOURS }).format(ms(date));
}

/**
 * A share as whole per cent: 0.724 is `72%`.
 * @param {number} share 0 to 1
 * @returns {string}
 */
export function percent(share) {
  return intl(Intl.NumberFormat, { style: "percent", maximumFractionDigits: 0 }).format(share);
}

/**
 * US dollars; amounts below ten cents keep a third place.
 * @param {number} amount
 * @returns {string}
 */
export function usd(amount) {
  const places = amount > 0 && amount < CENTS_BELOW_USD ? 3 : 2;
  const options = { style: "currency", currency: "USD", minimumFractionDigits: 2, maximumFractionDigits: places };
  return intl(Intl.NumberFormat, options).format(amount);
}

/**
 * A count in few characters: 3241 is `3.2K`.
 * @param {number} count
 * @returns {string}
 */
export function short(count) {
  return intl(Intl.NumberFormat, { notation: "compact", maximumFractionDigits: 1 }).format(count);
}

/**
 * A number with its separators.
 * @param {number} count
 * @param {number} [places] after the decimal point, at most
 * @returns {string}
 */
export function number(count, places = 2) {
  return intl(Intl.NumberFormat, { maximumFractionDigits: places }).format(count);
}

/**
 * A size of a file: `123 bytes`, `631 kB`, `2.1 MB`.
 * @param {number} size
 * @returns {string}
 */
export function bytes(size) {
  const [value, unit] = size < 1_000 ? [size, "byte"] : size < 999_500 ? [size / 1_000, "kilobyte"] : [size / 1_000_000, "megabyte"];
  const unitDisplay = unit === "byte" ? "long" : "short"; // the short form has no plural: `123 byte`
  return intl(Intl.NumberFormat, { style: "unit", unit, unitDisplay, maximumFractionDigits: value < 9.95 ? 1 : 0 }).format(value);
}

/**
 * @param {Moment} one
 * @param {Moment} other
 * @returns {boolean} whether both are on one day of this browser's clock
 */
export function isSameDay(one, other) {
  return calendarDay(one) === calendarDay(other);
}

/**
 * @param {Moment} date
 * @returns {string} its day on this browser's clock: `2026-11-29`
 */
export function calendarDay(date) {
  return intl(Intl.DateTimeFormat, { year: "numeric", month: "2-digit", day: "2-digit" }, "sv-SE").format(ms(date));
}

/**
 * @param {Moment} date
 * @returns {number} milliseconds since 1970
 */
export function ms(date) {
  return typeof date === "number" ? date : new Date(date).getTime();
}

/**
 * @param {Moment} date
 * @param {Moment} now
 * @returns {string} `Yesterday`, `Today` or `Tomorrow`; empty for any other day
 */
function nearDay(date, now) {
  const days = (Date.parse(calendarDay(date)) - Date.parse(calendarDay(now))) / DAY_MS;
  if (Math.abs(days) > 1) return "";
  const name = intl(Intl.RelativeTimeFormat, { numeric: "auto" }).format(days, "day");
  return name.charAt(0).toLocaleUpperCase(locale()) + name.slice(1);
}

/** @param {Moment} date @param {Moment} now @returns {string} `Friday 21 November`, with its year where that is another */
function dayInFull(date, now) {
  const [year, thisYear] = [date, now].map((one) => calendarDay(one).slice(0, 4));
  const day = intl(Intl.DateTimeFormat, { weekday: "long", day: "numeric", month: "long" }).format(ms(date));
  return year === thisYear ? day : `${day} ${year}`; // with a year some browsers put a comma behind the weekday
}

/** @param {number} lengthMs */
function relative(lengthMs) {
  const found = largest(lengthMs);
  if (!found[0]) return tongue().now;
  return tongue()[lengthMs < 0 ? "ago" : "until"].replace("{span}", counted(found, true));
}

/**
 * @param {[number, number]} length a count and the place of its unit
 * @param {boolean} [isAfter] within a sentence that says when
 * @returns {string}
 */
function counted([count, unit], isAfter = false) {
  const { units, days } = tongue();
  if (unit < units.length) return `${count} ${units[unit]}`;
  return `${count} ${count === 1 ? days[0] : days[isAfter ? 2 : 1]}`;
}

/** @returns {typeof SAID.en} the words of lengths in the person's language */
function tongue() {
  return lang() === "de" ? SAID.de : SAID.en;
}

/**
 * @param {number} lengthMs
 * @returns {[number, number]} how many, and of which unit: seconds, minutes, hours (up to two days), days
 */
function largest(lengthMs) {
  const size = Math.abs(lengthMs);
  const unit = [MINUTE_MS, HOUR_MS, 2 * DAY_MS].filter((from) => size >= from).length;
  return [Math.trunc(size / [SECOND_MS, MINUTE_MS, HOUR_MS, DAY_MS][unit]), unit];
}

/**
 * @template T
 * @param {new (lang: string, options: any) => T} kind
 * @param {object} options
 * @param {string} [language]
 * @returns {T}
 */
function intl(kind, options, language) {
  const chosen = language ?? (/** @type {unknown} */ (kind) === Intl.DateTimeFormat ? hubLocale() : locale());
  const key = `${kind.name} ${chosen} ${JSON.stringify(options)}`;
  if (!made.has(key)) made.set(key, new kind(chosen, options));
  return made.get(key);
}
