/** The hub's own sentences in the page's language, by the codes that come beside the English ones. */

import { has, locale, t } from "../words.js";
import { clock } from "../format.js";
import { dayWithYear } from "./days.js";

/** @typedef {import("../types").Phrasing} Phrasing */

const DEPTH_MAX = 3;
/** @type {Intl.NumberFormatOptions} */
const ONE_DECIMAL = { minimumFractionDigits: 1, maximumFractionDigits: 1 };

/**
 * @param {Phrasing | null | undefined} wording
 * @param {string} text what the hub says, shown where the page has no words for the code
 * @returns {string}
 */
export function worded(wording, text) {
  return said(wording, DEPTH_MAX) || text;
}

/**
 * @param {Phrasing | null | undefined} wording
 * @param {number} depth phrases within phrases
 * @returns {string}
 */
function said(wording, depth) {
  const key = `worded.${wording?.code}`;
  if (!wording || !depth || !has(key)) return "";
  const { values, listed, day, about, numbers = {}, parts = {}, moment } = wording;
  const inner = said(about, depth - 1);
  const within = Object.entries(parts).map(([slot, part]) => [slot, said(part, depth - 1)]);
  if ((about && !inner) || within.some(([, text]) => !text)) return "";
  const written = Object.entries(numbers).map(([slot, number]) => [slot, number.toLocaleString(locale(), ONE_DECIMAL)]);
  const more = Object.fromEntries([...within, ...written]);
  const names = new Intl.ListFormat(locale(), { type: "conjunction" }).format(listed);
  return t(key, { ...values, ...more, time: moment ? clock(moment, Date.now()) : "", listed: names, day: day ? dayWithYear(day) : "", about: inner });
}
