import assert from "node:assert/strict";
import { test } from "node:test";
import {
  age,
  bytes,
  clock,
  dayName,
  inFull,
  isSameDay,
  number,
  percent,
  short,
  span,
  until,
  usd,
} from "../../../surfaces/web/page/js/format.js";
import { useWords } from "../../../surfaces/web/page/js/words.js";
import { NOW, at } from "./cards.js";

useWords("en", {});

test("how long ago, and how long until, in the largest unit", () => {
  assert.equal(age(at(-2), NOW), "2 min ago");
  assert.equal(age(at(-61), NOW), "1 h ago");
  assert.equal(age(at(3), NOW), "now"); // a clock that is a little ahead
  assert.equal(until(at(12), NOW), "in 12 min");
  assert.equal(until(at(-3), NOW), "now");
  assert.equal(span(95_000), "1 min");
  assert.equal(span(5_000), "5 s");
  assert.equal(span(36 * 3_600_000), "36 h");
  assert.equal(span(3 * 24 * 3_600_000), "3 days");
});

test("another language says it in its own way", () => {
  useWords("de", {});
  assert.equal(age(at(-2), NOW), "vor 2 min");
  assert.equal(age(at(-60 * 24 * 3), NOW), "vor 3 Tagen");
  assert.equal(span(3 * 24 * 3_600_000), "3 Tage");
  assert.equal(percent(0.72).replace(/\s/, " "), "72 %");
  useWords("en", {});
});

test("a time of today is a clock time, another has its day", () => {
  assert.match(clock(NOW, NOW), /^\d\d:\d\d$/);
  assert.ok(clock(at(-60 * 24 * 3), NOW).startsWith(dayName(at(-60 * 24 * 3), NOW)));
  assert.match(dayName(at(-60 * 24 * 30), NOW), /\d/);
  assert.ok(isSameDay(NOW, NOW));
});

test("a weekday is written as the language shortens it", () => {
  const monday = "2026-03-02T03:38:00";
  useWords("de", {});
  assert.equal(clock(monday, "2026-03-01T12:00:00"), "Mo. 03:38");
  useWords("en", {});
  assert.equal(clock(monday, "2026-03-01T12:00:00"), "Mon 03:38");
});

test("a moment in full, so that nobody takes it for another", () => {
  const day = 24 * 3_600_000;
  assert.match(inFull(NOW + day, NOW), /^Tomorrow, \w+ \d+ \w+, \d\d:\d\d$/);
  assert.match(inFull(NOW, NOW), /^Today, /);
  assert.match(inFull(NOW + 9 * day, NOW), /^\w+ \d+ \w+, \d\d:\d\d$/);
  assert.match(inFull(NOW + 360 * day, NOW), /^\w+ \d+ \w+ \d{4}, \d\d:\d\d$/);
  assert.equal(clock("2026-03-03T15:00:00"), "15:00");
});

test("shares, money and counts", () => {
  assert.equal(percent(0.724), "72%");
  assert.equal(usd(0.05), "$0.05");
  assert.equal(usd(0.005), "$0.005");
  assert.equal(usd(1.5), "$1.50");
  assert.equal(short(3_241), "3.2K");
  assert.equal(number(1_234.567), "1,234.57");
  assert.deepEqual([1, 123, 631_000].map(bytes), ["1 byte", "123 bytes", "631 kB"]);
});
