/** The geometry of the charts. Pure: numbers go in, numbers and path strings come out; no DOM, no words. */

/** A day axis shows at most this many marks; a longer span is told in weeks. */
export const MARKS_MAX = 92;
const DAYS_PER_WEEK = 7;

/**
 * @typedef {import("../types").Day} Day
 * @typedef {{x: number, y: number}} Point in CSS pixels.
 * @typedef {object} Bucket one mark of the time axis: a day, or the days of a week added up.
 * @property {string} from the first day, as `YYYY-MM-DD`.
 * @property {string} to the last day, as `YYYY-MM-DD`; the same as `from` for a day.
 * @property {number} suggestions
 * @property {number} approved
 * @property {number} rejected
 * @property {number} expired
 * @property {number} executed
 * @property {number} handedOver
 * @property {number} failed
 * @property {number} blocked
 * @property {number} interruptions
 * @property {number} costUsd
 * @property {number | null} approvalRate 0 to 1; null where nobody answered.
 */

const COUNTS = /** @type {const} */ (["suggestions", "approved", "rejected", "expired", "executed", "handedOver", "failed", "blocked", "interruptions", "costUsd"]);

/**
 * The days on which something was suggested, run or said: the others would only thin the figures.
 * @param {readonly Day[]} days
 * @returns {number}
 */
export function activeDays(days) {
  return days.filter(({ suggestions, executed, failed, interruptions }) => suggestions + executed + failed + interruptions > 0).length;
}

/**
 * Map a domain onto a range of pixels; an empty domain maps onto the range's begin.
 * @param {readonly [number, number]} domain
 * @param {readonly [number, number]} range in CSS pixels.
 * @returns {(value: number) => number}
 */
export function linear([low, high], [begin, end]) {
  const width = high - low;
  return (value) => (width === 0 ? begin : begin + ((value - low) / width) * (end - begin));
}

/**
 * Round ticks from 0 to at least `max`, in steps of 1, 2 or 5 times a power of ten.
 * @param {number} max 0 or more.
 * @param {number} count about how many steps, 1 or more.
 * @param {number} [stepMin] the smallest step: 1 for what is counted.
 * @returns {number[]}
 */
export function niceTicks(max, count, stepMin = 0) {
  const rough = (max > 0 ? max : 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 5, 10].find((one) => one * power >= rough - 1e-9) ?? 10;
  const step = Math.max(stepMin, factor * power);
  const steps = Math.max(1, Math.ceil((max > 0 ? max : step) / step - 1e-9));
  return Array.from({ length: steps + 1 }, (_, index) => Number((index * step).toPrecision(12)));
}

/**
 * Say which marks of an axis get a label so that none touches its neighbour. The last one (today) always does.
 * @param {number} marks
 * @param {number} widthPx
 * @param {number} labelPx the room that one label needs.
 * @returns {number[]} indices, rising.
 */
export function labelled(marks, widthPx, labelPx) {
  const room = Math.max(1, Math.floor(widthPx / labelPx));
  const step = Math.max(1, Math.ceil(marks / room));
  const found = [];
  for (let index = marks - 1; index >= 0; index -= step) found.unshift(index);
  return found;
}

/**
 * Split a row of points at its gaps.
 * @param {readonly (Point | null)[]} points
 * @returns {{runs: Point[][], bridges: [Point, Point][]}} what is known without a gap, and the gaps between.
 */
export function splitAtGaps(points) {
  /** @type {Point[][]} */
  const runs = [];
  let open = false;
  for (const point of points) {
    if (point === null) {
      open = false;
      continue;
    }
    if (open) {
      runs[runs.length - 1].push(point);
    } else {
      runs.push([point]);
    }
    open = true;
  }
  const bridges = runs.slice(1).map((run, index) => /** @type {[Point, Point]} */ ([runs[index][runs[index].length - 1], run[0]]));
  return { runs, bridges };
}

/**
 * Write an open polyline as the `d` of an SVG path.
 * @param {readonly Point[]} points
 * @returns {string}
 */
export function pathOf(points) {
  return points.map(({ x, y }, index) => `${index ? "L" : "M"}${round(x)} ${round(y)}`).join("");
}

/**
 * Put days into the marks of a time axis: days as they are, or whole weeks counted back from the last day.
 * @param {readonly Day[]} days oldest first, without holes.
 * @param {number} [marksMax]
 * @returns {Bucket[]} oldest first.
 */
export function bucketsOf(days, marksMax = MARKS_MAX) {
  if (days.length <= marksMax) return days.map((day) => ({ ...day, from: day.day, to: day.day }));
  const buckets = [];
  for (let end = days.length; end > 0; end -= DAYS_PER_WEEK) buckets.unshift(sumOf(days.slice(Math.max(0, end - DAYS_PER_WEEK), end)));
  return buckets;
}

/**
 * Find the mark under the pointer.
 * @param {number} xPx from the left edge of the plot.
 * @param {number} widthPx of the plot.
 * @param {number} marks 1 or more.
 * @returns {number} an index.
 */
export function markAt(xPx, widthPx, marks) {
  const index = Math.floor((xPx / Math.max(1, widthPx)) * marks);
  return Math.min(marks - 1, Math.max(0, index));
}

/**
 * Radius of a point that stands for `count` answers: its area grows with the count.
 * @param {number} count
 * @param {number} countMax
 * @returns {number} in CSS pixels, 3 to 11.
 */
export function radiusOf(count, countMax) {
  return 3 + 8 * Math.sqrt(countMax > 0 ? count / countMax : 0);
}

/**
 * @param {Day[]} days one or more.
 * @returns {Bucket}
 */
function sumOf(days) {
  const sums = Object.fromEntries(COUNTS.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0)]));
  const answered = sums.approved + sums.rejected;
  return /** @type {Bucket} */ ({
    ...sums,
    from: days[0].day,
    to: days[days.length - 1].day,
    approvalRate: answered === 0 ? null : sums.approved / answered,
  });
}

/**
 * @param {number} value
 * @returns {number} to a hundredth of a pixel: shorter paths.
 */
function round(value) {
  return Math.round(value * 100) / 100;
}
