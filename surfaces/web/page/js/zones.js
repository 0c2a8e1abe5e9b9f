/**
 * The zone of the hub beside this browser's. Moments are written in the browser's (format.js); what the hub has as plain
 * hours, such as the quiet hours, stays in the hub's, which is named where its clock is another.
 */

import { t } from "./words.js";

/** Winter and summer: zones whose clocks agree in both agree all year. */
const SEASONS_MS = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
const PLAIN_CLOCK = /^\d\d:\d\d$/;

/** @type {string | undefined} where its clock is another than this browser's */
let other;

/** @param {string} name empty, or one that this browser does not know, for the browser's own */
export function useHubZone(name) {
  try {
    other = name && !isSameClock(name, undefined) ? name : undefined;
  } catch {
    other = undefined;
  }
}

/** @returns {string} the hub's zone where its clock is another than this browser's, else empty */
export const otherZone = () => other ?? "";

/** @returns {string} what is said beside hours and days of the hub's: its zone, where its clock is another, else nothing */
export const zoneNote = () => (other ? t("zone.differs", { zone: other }) : "");

/**
 * Name the zone behind an hour of the hub's.
 * @param {string} text for example `08:00`; any other text stays as it is
 * @returns {string} for example `08:00 (Europe/Vienna)`, where the hub's clock is another
 */
export const hubClock = (text) => (other && PLAIN_CLOCK.test(text) ? `${text} (${other})` : text);

/**
 * @param {Date | string | number} date
 * @returns {string} the day that it is then where the hub is, as the hub writes days: `2026-11-29`
 */
export const hubDay = (date) => new Date(date).toLocaleDateString("sv-SE", { timeZone: other });

/**
 * @param {string | undefined} one undefined for this browser's own
 * @param {string | undefined} two
 * @returns {boolean} whether the clocks of both zones agree, whatever their names
 * @throws {RangeError} a zone that this browser does not know
 */
export function isSameClock(one, two) {
  return SEASONS_MS.every((at) => wall(at, one) === wall(at, two));
}

/** @param {number} at @param {string | undefined} timeZone */
const wall = (at, timeZone) => new Date(at).toLocaleString("sv-SE", { timeZone });
