/** What the view of the drives computes: loads that grow by themselves, and the lines of their history. Pure; no words, no DOM. */

/** @typedef {import("../types").DriveView} DriveView */
/** @typedef {import("../types").DrivesView} DrivesView */
/** @typedef {import("../types").DrivesHistory} DrivesHistory */
/** @typedef {import("../types").DriveLineView} DriveLineView */
/** @typedef {import("../types").WakeView} WakeView */
/** @typedef {{atMs: number, load: number}} Bend */
/** @typedef {{name: string, runs: Bend[][], most: number}} Series one drive: its line without the stretches in which it did not press */
/** @typedef {{atMs: number, wake: WakeView | null}} Instant */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const TICK_HOURS = 3;
const STEPS_A_DAY = 24;
const STEPS_A_WEEK = 28;
/** Less than this is written as 0.0, and is no pressure to anybody. */
export const LOAD_SEEN = 0.05;
export const WEIGHT_MIN = 0.05;
export const WEIGHT_MAX = 3;
export const WEIGHT_STEP = 0.05;

/**
 * What a drive adds to the sum, some time after the hub said it.
 * @param {Pick<DriveView, "pressure" | "pressureMax" | "growsPerMin" | "weight">} drive
 * @param {number} sinceMs
 */
export function loadAfter({ pressure, pressureMax, growsPerMin, weight }, sinceMs) {
  return grown(pressure, growsPerMin, pressureMax, sinceMs) * weight;
}

/**
 * The sum of what counts, some time after the hub said it.
 * @param {readonly DriveView[]} drives
 * @param {number} sinceMs
 */
export function totalAfter(drives, sinceMs) {
  return drives.reduce((sum, drive) => sum + (drive.counts ? loadAfter(drive, sinceMs) : 0), 0);
}

/**
 * Which drives have a bar: something is open in them, or they still press.
 * @param {readonly DriveView[]} drives
 */
export function pressing(drives) {
  return drives.filter(({ open, load }) => open > 0 || load >= LOAD_SEEN);
}

/**
 * The load at which a bar is full: the same for all, so that bars can be compared.
 * @param {Pick<DrivesView, "drives" | "total" | "threshold" | "singleThreshold">} view
 */
export function fullLoad({ drives, total, threshold, singleThreshold }) {
  return Math.max(threshold, singleThreshold, total, ...drives.map(({ load }) => load), LOAD_SEEN);
}

/**
 * A weight as a slider can send it: on its steps and within its ends.
 * @param {number} value
 */
export function weightOf(value) {
  const steps = Math.round(value / WEIGHT_STEP);
  return Math.min(WEIGHT_MAX, Math.max(WEIGHT_MIN, Number((steps * WEIGHT_STEP).toFixed(2))));
}

/**
 * The lines of all drives that pressed, the one that pressed most first: straight between two samples, up to the lid.
 * @param {DrivesHistory} history
 * @returns {Series[]}
 */
export function seriesOf(history) {
  const names = new Set(history.samples.flatMap(({ drives }) => drives.map(({ name }) => name)));
  return [...names]
    .map((name) => {
      const runs = runsOf(history, name);
      return { name, runs, most: Math.max(0, ...runs.flat().map(({ load }) => load)) };
    })
    .filter(({ most }) => most > 0)
    .sort((one, other) => other.most - one.most || one.name.localeCompare(other.name));
}

/**
 * What pressed at a moment, the heaviest first.
 * @param {DrivesHistory} history
 * @param {number} atMs
 * @returns {{name: string, load: number}[]}
 */
export function loadsAt({ samples, pressureMax }, atMs) {
  const sample = samples.findLast(({ at }) => Date.parse(at) <= atMs);
  if (!sample) return [];
  const sinceMs = atMs - Date.parse(sample.at);
  return sample.drives
    .map((line) => ({ name: line.name, load: loadAfter({ ...line, pressureMax }, sinceMs) }))
    .filter(({ load }) => load >= LOAD_SEEN)
    .sort((one, other) => other.load - one.load || one.name.localeCompare(other.name));
}

/**
 * The moments that a reader steps through: even steps, and every wake.
 * @param {Pick<DrivesHistory, "since" | "until" | "wakes">} history
 * @returns {Instant[]} oldest first
 */
export function instantsOf({ since, until, wakes }) {
  const [begin, end] = [Date.parse(since), Date.parse(until)];
  const steps = end - begin > 1.5 * DAY_MS ? STEPS_A_WEEK : STEPS_A_DAY;
  const even = Array.from({ length: steps + 1 }, (_, index) => ({ atMs: begin + ((end - begin) * index) / steps, wake: null }));
  const woken = wakes.map((wake) => ({ atMs: Date.parse(wake.at), wake }));
  return [...even, ...woken].sort((one, other) => one.atMs - other.atMs);
}

/**
 * Where a time axis has its words: every third hour of a day, else every midnight, in this browser's zone.
 * @param {number} beginMs
 * @param {number} endMs
 * @returns {number[]} ms, rising
 */
export function timeTicks(beginMs, endMs) {
  const isDay = endMs - beginMs <= 1.5 * DAY_MS;
  const at = new Date(beginMs);
  if (isDay) at.setHours(Math.ceil((at.getHours() + 1) / TICK_HOURS) * TICK_HOURS, 0, 0, 0);
  else at.setHours(24, 0, 0, 0);
  const found = [];
  while (at.getTime() <= endMs) {
    found.push(at.getTime());
    if (isDay) at.setHours(at.getHours() + TICK_HOURS);
    else at.setDate(at.getDate() + 1);
  }
  return found;
}

/**
 * @param {DrivesHistory} history
 * @param {string} name
 * @returns {Bend[][]}
 */
function runsOf({ samples, since, until, pressureMax }, name) {
  const [begin, end] = [Date.parse(since), Date.parse(until)];
  /** @type {Bend[][]} */
  const runs = [];
  let isOpen = false;
  samples.forEach((sample, index) => {
    const from = Math.max(begin, Date.parse(sample.at));
    const to = index + 1 < samples.length ? Math.max(from, Date.parse(samples[index + 1].at)) : end;
    const line = sample.drives.find((one) => one.name === name);
    const presses = line !== undefined && (line.pressure > 0 || line.growsPerMin > 0);
    if (presses && !isOpen) runs.push(Date.parse(sample.at) < begin ? [] : [{ atMs: from, load: 0 }]);
    if (presses) runs[runs.length - 1].push(...bends(line, pressureMax, Date.parse(sample.at), [from, to]));
    else if (isOpen) runs[runs.length - 1].push({ atMs: from, load: 0 });
    isOpen = presses;
  });
  return runs;
}

/**
 * @param {DriveLineView} line
 * @param {number} lid
 * @param {number} atMs when the line began
 * @param {[number, number]} span which part of it
 * @returns {Bend[]}
 */
function bends({ pressure, growsPerMin, weight }, lid, atMs, [from, to]) {
  const load = (/** @type {number} */ ms) => grown(pressure, growsPerMin, lid, ms - atMs) * weight;
  const lidAt = growsPerMin > 0 && pressure < lid ? atMs + ((lid - pressure) / growsPerMin) * MINUTE_MS : from;
  const between = lidAt > from && lidAt < to ? [lidAt] : [];
  return [from, ...between, to].map((ms) => ({ atMs: ms, load: load(ms) }));
}

/**
 * @param {number} pressure
 * @param {number} growsPerMin
 * @param {number} lid
 * @param {number} forMs
 */
function grown(pressure, growsPerMin, lid, forMs) {
  return Math.min(Math.max(lid, pressure), pressure + (growsPerMin * Math.max(0, forMs)) / MINUTE_MS);
}
