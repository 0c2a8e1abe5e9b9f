/** The sections of the settings, and what is found in them. Pure. */

/** @typedef {"general" | "alone" | "interruptions" | "agents" | "devices" | "limits" | "work"} Section */

/** @type {readonly Section[]} */
export const SECTIONS = ["general", "alone", "interruptions", "agents", "devices", "limits", "work"];

/** @param {string} search @returns {string[]} the words that are looked for */
export const wordsIn = (search) => search.toLocaleLowerCase().split(/\s+/).filter(Boolean);

/**
 * @param {readonly string[]} words
 * @param {string} text
 * @returns {boolean} whether every word is in it
 */
export function isFound(words, text) {
  const lower = text.toLocaleLowerCase();
  return words.every((word) => lower.includes(word));
}
