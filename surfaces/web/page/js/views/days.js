/** Names of plain days (`2026-11-20`) in the person's language: they have no zone and are never shifted by one. */

import { hubLocale } from "../words.js";

/**
 * @param {string} day `YYYY-MM-DD`
 * @returns {string} for example `20 Nov`
 */
export function shortDay(day) {
  return plain(day, { day: "numeric", month: "short" });
}

/**
 * @param {string} day `YYYY-MM-DD`
 * @returns {string} for example `Friday 20 November`
 */
export function longDay(day) {
  return plain(day, { weekday: "long", day: "numeric", month: "long" });
}

/**
 * @param {string} day `YYYY-MM-DD`
 * @returns {string} for example `8 June 2026`
 */
export function dayWithYear(day) {
  return plain(day, { dateStyle: "long" });
}

/**
 * @param {string} day `YYYY-MM-DD`
 * @returns {string} for example `Friday 20 November 2026`
 */
export function dayInFull(day) {
  return `${longDay(day)} ${day.slice(0, 4)}`;
}

/**
 * @param {string} day
 * @param {Intl.DateTimeFormatOptions} options
 */
function plain(day, options) {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString(hubLocale(), { ...options, timeZone: "UTC" });
}
