/** Names of days in the person's language. A plain day (`2026-11-20`) has no zone and is never shifted by one. */

import { locale } from "../words.js";

const DAY_MS = 86_400_000;

/**
 * @param {string} day `YYYY-MM-DD`
 * @returns {string} for example `20 Nov`
 */
export function shortDay(day) {
  return plain(day, { day: "numeric", month: "short" });
}

/**
 * @param {string} day `YYYY-MM-DD`
 * @returns {string} for example `Friday, 20 November`
 */
export function longDay(day) {
  return plain(day, { weekday: "long", day: "numeric", month: "long" });
}

/**
 * @param {string} instant ISO 8601
 * @returns {string} its day with the year, for example `8 June 2026`
 */
export function fullDay(instant) {
  return new Date(instant).toLocaleDateString(locale(), { dateStyle: "long" });
}

/**
 * Name the day of an instant in this browser's zone: Today, Yesterday, or the day in full.
 * @param {string} instant ISO 8601
 * @param {Date} now
 * @returns {string}
 */
export function dayOf(instant, now) {
  const date = new Date(instant);
  const ago = Math.round((midnight(now) - midnight(date)) / DAY_MS);
  if (ago === 0 || ago === 1) return capital(new Intl.RelativeTimeFormat(locale(), { numeric: "auto" }).format(-ago, "day"));
  const isOld = date.getFullYear() !== now.getFullYear();
  return date.toLocaleDateString(locale(), { weekday: "long", day: "numeric", month: "long", ...(isOld && { year: "numeric" }) });
}

/**
 * @param {string} day
 * @param {Intl.DateTimeFormatOptions} options
 */
function plain(day, options) {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(locale(), { ...options, timeZone: "UTC" });
}

/** @param {Date} date */
function midnight(date) {
  return Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
}

/** @param {string} words */
function capital(words) {
  return words.charAt(0).toLocaleUpperCase(locale()) + words.slice(1);
}
