/**
 * The page's words in the person's language. A language is one file, `words/<lang>.json`, with flat keys.
 *
 * `{name}` in a text is replaced by the value of that name. A text that depends on a number has a key for each plural
 * form of its language (`cards.one`, `cards.other`, …), chosen by the value `count`.
 */

const SAVED_AS = "pulse.lang";
const FALLBACK = "en";

/** @typedef {Record<string, string | number>} Values */

/** @type {Record<string, string>} */
let words = {};
let chosen = FALLBACK;
let region = FALLBACK;

/** @returns {string} the language in use, such as `de` */
export function lang() {
  return chosen;
}

/** @returns {string} that language as it is written where the person is, such as `de-AT`; for numbers and times */
export function locale() {
  return region;
}

/** @returns {string} as which the hub's own sentences write dates and lists: in English, the day stands before the month */
export function hubLocale() {
  return chosen === "en" ? "en-GB" : region;
}

/**
 * Return a text in the chosen language; a key that has none is returned as it is.
 * @param {string} key
 * @param {Values} [values]
 * @returns {string}
 */
export function t(key, values) {
  const text = words[key] ?? (values && typeof values.count === "number" ? plural(key, values.count) : undefined);
  return text === undefined ? key : withValues(text, values);
}

/**
 * @param {string} key
 * @returns {boolean} whether there is such a text (names that the hub invents may have none yet)
 */
export function has(key) {
  return words[key] !== undefined;
}

/**
 * A plain name for a channel; one that the person made is called as they called it.
 * @param {string} name
 * @returns {string}
 */
export function channelTitle(name) {
  return words[`channel.${name}`] ?? name;
}

/**
 * A plain name for an agent or whoever asks; those of the person are called as they called them.
 * @param {string} name
 * @returns {string}
 */
export function agentTitle(name) {
  return words[`agent.is-${name}`] ?? name;
}

/**
 * Use these words from now on. For tests, and for whoever loads them in another way.
 * @param {string} language
 * @param {Record<string, string>} texts
 */
export function useWords(language, texts) {
  chosen = language;
  region = language;
  words = texts;
}

/**
 * Load the words of the language that the person chose, else of the first language of the browser that has a file.
 * @param {(path: string) => Promise<Response> | undefined} takeEarly what was asked for before this script was here
 * @returns {Promise<void>}
 */
export async function loadWords(takeEarly) {
  const wanted = [localStorage.getItem(SAVED_AS), ...navigator.languages.map((one) => one.split("-")[0])];
  for (const language of new Set([...wanted, FALLBACK])) {
    if (language && (await load(language, takeEarly))) return;
  }
}

/**
 * Choose a language, for this browser and from now on; the page is then drawn anew.
 * @param {string} language
 */
export function setLang(language) {
  localStorage.setItem(SAVED_AS, language);
  location.reload();
}

/**
 * Which languages there are, by their own names.
 * @returns {Promise<Record<string, string>>} for example `{"en": "English", "de": "Deutsch"}`
 */
export async function languages() {
  const answer = await fetch("/app/languages.json");
  return answer.json();
}

/**
 * @param {string} language
 * @param {(path: string) => Promise<Response> | undefined} takeEarly
 * @returns {Promise<boolean>} whether there is such a file
 */
async function load(language, takeEarly) {
  if (!/^[a-z]{2,3}$/.test(language)) return false;
  const path = `/app/words/${language}.json`;
  const answer = await (takeEarly(path) ?? fetch(path));
  if (!answer.ok) return false;
  useWords(language, await answer.json());
  region = navigator.languages.find((one) => one.split("-")[0] === language) ?? language;
  document.documentElement.lang = language;
  return true;
}

/**
 * @param {string} key
 * @param {number} count
 * @returns {string | undefined}
 */
function plural(key, count) {
  return words[`${key}.${new Intl.PluralRules(chosen).select(count)}`] ?? words[`${key}.other`];
}

/**
 * @param {string} text
 * @param {Values} [values]
 * @returns {string}
 */
function withValues(text, values = {}) {
  return text.replace(/\{(\w+)\}/g, (whole, name) => {
    const value = values[name];
    if (value === undefined) return whole;
    return typeof value === "number" ? value.toLocaleString(region) : value;
  });
}
