import assert from "node:assert/strict";
import { test } from "node:test";

import { fullLoad, instantsOf, loadAfter, loadsAt, pressing, seriesOf, timeTicks, totalAfter, weightOf } from "../../../surfaces/web/page/js/views/drives-model.js";

const MINUTE_MS = 60_000;
const drive = (more = {}) => ({ name: "goals", weight: 1, pressure: 4, pressureMax: 10, load: 4, growsPerMin: 0.5, counts: true, open: 1, wants: [], addressedAt: null, ...more });
const line = (pressure, growsPerMin, name = "goals", weight = 1) => ({ name, pressure, growsPerMin, weight });
const at = (minute) => new Date(Date.UTC(2026, 10, 20, 12, minute)).toISOString();
const ms = (minute) => Date.parse(at(minute));
const history = (samples, more = {}) => ({ since: at(0), until: at(60), samples, wakes: [], pressureMax: 10, threshold: 5, thinned: false, ...more });

test("a bar fills by itself, up to the lid, and never backwards", () => {
  assert.equal(loadAfter(drive(), 2 * MINUTE_MS), 5);
  assert.equal(loadAfter(drive({ weight: 0.5 }), 2 * MINUTE_MS), 2.5);
  assert.equal(loadAfter(drive(), 600 * MINUTE_MS), 10);
  assert.equal(loadAfter(drive(), -5 * MINUTE_MS), 4);
  assert.equal(loadAfter(drive({ pressure: 12, pressureMax: 10 }), MINUTE_MS), 12);
});

test("only what counts is in the sum, and what neither presses nor is open has no bar", () => {
  const drives = [drive(), drive({ name: "system", counts: false }), drive({ name: "social", open: 0, load: 0, pressure: 0 })];
  assert.equal(totalAfter(drives.slice(0, 2), 0), 4);
  assert.deepEqual(pressing(drives).map(({ name }) => name), ["goals", "system"]);
  assert.deepEqual(pressing([]), []);
});

test("a full bar is at least both thresholds, and what is above them still fits", () => {
  assert.equal(fullLoad({ drives: [drive()], total: 4, threshold: 5, singleThreshold: 4.5 }), 5);
  assert.equal(fullLoad({ drives: [drive({ load: 8 })], total: 9, threshold: 5, singleThreshold: 4.5 }), 9);
  assert.ok(fullLoad({ drives: [], total: 0, threshold: 0, singleThreshold: 0 }) > 0);
});

test("a weight is on the steps of its slider and between its ends", () => {
  assert.deepEqual([weightOf(0.3), weightOf(1.234), weightOf(0), weightOf(99)], [0.3, 1.25, 0.05, 3]);
});

test("a line is straight to the next sample, has a lid, and jumps where a sample says so", () => {
  const [goals] = seriesOf(history([{ at: at(-10), drives: [line(5, 0.1)] }, { at: at(30), drives: [line(9, 0.1)] }]));
  assert.deepEqual(goals.runs, [[
    { atMs: ms(0), load: 6 }, { atMs: ms(30), load: 9 },
    { atMs: ms(30), load: 9 }, { atMs: ms(40), load: 10 }, { atMs: ms(60), load: 10 },
  ]]);
  assert.equal(goals.most, 10);
});

test("where a drive is not named it has no line, and the heaviest comes first", () => {
  const found = seriesOf(history([
    { at: at(0), drives: [line(1, 0), line(4, 0, "system", 1.5)] },
    { at: at(20), drives: [line(1, 0)] },
    { at: at(40), drives: [line(1, 0), line(0, 0, "social"), line(2, 0, "system", 1.5)] },
  ]));
  assert.deepEqual(found.map(({ name, most }) => [name, most]), [["system", 6], ["goals", 1]]);
  assert.deepEqual(found[0].runs.map((run) => run.at(-1)), [{ atMs: ms(20), load: 0 }, { atMs: ms(60), load: 3 }]);
  assert.deepEqual(seriesOf(history([])), []);
});

test("what pressed at a moment is read from the sample before it", () => {
  const told = history([{ at: at(0), drives: [line(1, 0.1), line(4, 0, "system", 1.5), line(0.01, 0, "social")] }]);
  assert.deepEqual(loadsAt(told, ms(10)), [{ name: "system", load: 6 }, { name: "goals", load: 2 }]);
  assert.deepEqual(loadsAt(told, ms(-1)), []);
});

test("a reader steps evenly through the span, and stops at every wake", () => {
  const wake = { id: "w1", at: at(7) };
  const found = instantsOf(history([], { wakes: [wake] }));
  assert.equal(found.length, 26);
  assert.deepEqual(found.filter((one) => one.wake).map(({ atMs }) => atMs), [ms(7)]);
  assert.ok(found.every((one, index) => index === 0 || one.atMs >= found[index - 1].atMs));
});

test("a day has its words every third hour, a week every midnight", () => {
  const begin = new Date(2026, 10, 20, 13, 10).getTime();
  const day = timeTicks(begin, begin + 24 * 60 * MINUTE_MS);
  assert.deepEqual(day.map((one) => new Date(one).getHours()), [15, 18, 21, 0, 3, 6, 9, 12]);
  const week = timeTicks(begin, begin + 7 * 24 * 60 * MINUTE_MS);
  assert.equal(week.length, 7);
  assert.ok(week.every((one) => new Date(one).getHours() === 0));
});
