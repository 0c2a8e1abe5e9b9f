/** The hub's own sentences in the page's language, by the codes that come beside the English ones. */

import { has, locale, t } from "../words.js";
import { fullDay } from "./days.js";

/** @typedef {import("../types").Phrasing} Phrasing */

const DEPTH_MAX = 3;

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
  const { values, listed, day, about } = wording;
  const inner = said(about, depth - 1);
  if (about && !inner) return "";
  const names = new Intl.ListFormat(locale(), { type: "conjunction" }).format(listed);
  return t(key, { ...values, listed: names, day: day ? fullDay(`${day}T12:00`) : "", about: inner });
}
