import assert from "node:assert/strict";
import { test } from "node:test";

import { bucketsOf, labelled, linear, markAt, niceTicks, pathOf, radiusOf, splitAtGaps } from "../../../surfaces/web/page/js/views/chart-math.js";

const day = (index, more = {}) => ({
  day: new Date(Date.UTC(2026, 0, 1 + index)).toISOString().slice(0, 10),
  suggestions: 2, approved: 1, rejected: 1, expired: 0, executed: 1, failed: 0, blocked: 0, interruptions: 1, costUsd: 0.5, approvalRate: 0.5,
  ...more,
});

test("a scale maps both ends, also upside down, and an empty domain onto its begin", () => {
  const y = linear([0, 10], [200, 0]);
  assert.deepEqual([y(0), y(5), y(10)], [200, 100, 0]);
  assert.equal(linear([3, 3], [7, 9])(3), 7);
});

test("ticks are round, begin at 0 and reach the largest value", () => {
  assert.deepEqual(niceTicks(9, 4), [0, 5, 10]);
  assert.deepEqual(niceTicks(1, 4), [0, 0.5, 1]);
  assert.deepEqual(niceTicks(0.03, 3), [0, 0.01, 0.02, 0.03]);
  for (const max of [0.001, 0.7, 1, 3, 17, 100, 12_345]) {
    const ticks = niceTicks(max, 4);
    assert.ok(ticks[ticks.length - 1] >= max && ticks[0] === 0 && ticks.length <= 6, `${max}: ${ticks}`);
  }
});

test("what is counted has no half ticks, and nothing at all still has an axis", () => {
  assert.deepEqual(niceTicks(1, 4, 1), [0, 1]);
  assert.deepEqual(niceTicks(0, 4, 1), [0, 1]);
});

test("labels end at today and leave room for each other", () => {
  const found = labelled(30, 280, 56);
  assert.equal(found.at(-1), 29);
  assert.ok(found.length <= 5);
  assert.deepEqual(labelled(1, 10, 56), [0]);
});

test("a line is split where nothing is known, and the gap is bridged", () => {
  const a = { x: 0, y: 1 };
  const b = { x: 1, y: 2 };
  const d = { x: 3, y: 4 };
  assert.deepEqual(splitAtGaps([null, a, b, null, d, null]), { runs: [[a, b], [d]], bridges: [[b, d]] });
  assert.deepEqual(splitAtGaps([null, null]), { runs: [], bridges: [] });
  assert.equal(pathOf([a, { x: 1.23456, y: 2 }]), "M0 1L1.23 2");
});

test("a year is told in weeks that end today; nothing is lost in the sums", () => {
  const days = Array.from({ length: 365 }, (_, index) => day(index));
  const weeks = bucketsOf(days);
  assert.equal(weeks.length, 53);
  assert.equal(weeks.at(-1).to, days.at(-1).day);
  assert.equal(weeks[0].from, days[0].day);
  assert.equal(weeks.reduce((sum, week) => sum + week.suggestions, 0), 730);
  assert.equal(weeks[5].approvalRate, 0.5);
});

test("days stay days up to a quarter, and a week without answers has no rate", () => {
  assert.equal(bucketsOf([day(0), day(1)])[1].from, day(1).day);
  const silent = Array.from({ length: 100 }, (_, index) => day(index, { approved: 0, rejected: 0, approvalRate: null }));
  assert.equal(bucketsOf(silent)[3].approvalRate, null);
});

test("the pointer always finds a mark", () => {
  assert.deepEqual([markAt(-5, 100, 10), markAt(0, 100, 10), markAt(99.9, 100, 10), markAt(400, 100, 10)], [0, 0, 9, 9]);
});

test("the area of a point grows with its count", () => {
  assert.equal(radiusOf(0, 0), 3);
  assert.equal(radiusOf(10, 10), 11);
  assert.ok(radiusOf(5, 10) < 9);
});
