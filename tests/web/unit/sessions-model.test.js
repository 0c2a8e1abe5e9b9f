import assert from "node:assert/strict";
import { test } from "node:test";

import { GROUPS, axisOf, busyPart, dayAfter, firstLines, grouped, lookOf, placeOf, rowsOf } from "../../../surfaces/web/page/js/views/sessions-model.js";
import { goneFrom, keyOf, withGone } from "../../../surfaces/web/page/js/views/spirit-model.js";

const HOUR_MS = 3_600_000;
const at = (hour, minute = 0) => new Date(Date.UTC(2026, 0, 9, hour, minute)).toISOString();
const ms = (hour, minute = 0) => Date.parse(at(hour, minute));
const session = (id, status, hour) => ({ id, status, heardAt: at(hour) });
const fact = (hour, more = {}) => ({ at: at(hour), source: "chrome", identifier: "kayak.com", text: "found", refused: null, about: false, ...more });
const lane = (more = {}) => ({ session: "abc", spans: [], pauses: [], events: [], ...more });
const day = (more = {}) => ({ since: at(0), until: at(24), lanes: [], events: [], ...more });

test("what needs somebody comes first, and those heard of last before the others", () => {
  const found = grouped([session("a", "start", 1), session("b", "failed", 2), session("c", "retry", 3), session("d", "finish", 4), session("e", "failed", 5)]);
  assert.deepEqual(GROUPS, ["failed", "pending", "active", "left", "handed-over", "verified"]);
  assert.deepEqual(GROUPS.map((name) => found[name].map(({ id }) => id)), [["e", "b"], ["d"], ["c", "a"], [], [], []]);
});

test("what failed and was left at that needs nobody, and what was handed over is neither checked nor verified", () => {
  const [left, handed] = [{ ...session("b", "failed", 2), left: true }, { ...session("d", "finish", 4), left: true }];
  const found = grouped([session("a", "failed", 1), left, { ...session("c", "retry", 3), left: true }, handed]);
  assert.deepEqual(GROUPS.map((name) => found[name].map(({ id }) => id)), [["a"], [], ["c"], ["b"], ["d"], []]);
});

test("of verified sessions the ten latest are shown", () => {
  const many = Array.from({ length: 14 }, (_, hour) => session(`s${hour}`, "verified", hour));
  assert.deepEqual(grouped(many).verified.map(({ id }) => id), ["s13", "s12", "s11", "s10", "s9", "s8", "s7", "s6", "s5", "s4"]);
});

test("every status has a look, also one that is not known", () => {
  assert.deepEqual(["start", "active", "retry", "finish", "failed", "verified", null].map(lookOf), ["work", "work", "again", "check", "stuck", "done", "before"]);
});

test("the busy part of a day is whole hours, never less than one, never beyond the day", () => {
  const spans = [{ status: "active", begin: at(9, 20), end: at(10, 5), said: "" }];
  assert.deepEqual(busyPart(day({ lanes: [lane({ spans })] })), { begin: ms(9), end: ms(11) });
  assert.deepEqual(busyPart(day({ events: [fact(9)] })), { begin: ms(9), end: ms(10) });
  assert.deepEqual(busyPart(day({ events: [fact(0), fact(24)] })), { begin: ms(0), end: ms(24) });
  assert.deepEqual(busyPart(day()), { begin: ms(0), end: ms(24) });
});

test("a moment has its place within a stretch, and none outside it", () => {
  const stretch = { begin: ms(8), end: ms(12) };
  assert.deepEqual([at(8), at(9), at(12), at(7), at(13)].map((one) => placeOf(stretch, one)), [0, 0.25, 1, 0, 1]);
  assert.equal(placeOf({ begin: 5, end: 5 }, 5), 0);
});

test("an axis has at most seven times, on even steps", () => {
  assert.deepEqual(axisOf({ begin: ms(8), end: ms(9) }), [0, 15, 30, 45, 60].map((minute) => ms(8, minute)));
  for (const hours of [1, 2, 3, 5, 7, 12, 23, 24, 25]) {
    const found = axisOf({ begin: ms(0), end: ms(0) + hours * HOUR_MS });
    assert.ok(found.length >= 2 && found.length <= 7, `${hours} hours: ${found.length}`);
    assert.equal(new Set(found.slice(1).map((one, index) => one - found[index])).size, 1);
  }
});

test("a day in rows is in its order, and says of each what it is", () => {
  const lanes = [lane({
    spans: [{ status: null, begin: at(8), end: at(9), said: "" }, { status: "failed", begin: at(9), end: at(11), said: "stuck" }],
    pauses: [{ kind: "answer", begin: at(9), end: at(10), isOpen: false }],
    events: [fact(10, { source: "user", text: "XKCD", textWorded: {} }), fact(12, { refused: "active", text: "and on" })],
  })];
  assert.deepEqual(rowsOf(day({ lanes, events: [fact(7)] }), (wording, text) => (wording ? "in words" : text)).map(({ kind, what, session: who, said }) => [kind, what, who, said]), [
    ["fact", "chrome", "kayak.com", "found"],
    ["span", "before", "abc", ""],
    ["span", "failed", "abc", "stuck"],
    ["pause", "answer", "abc", ""],
    ["fact", "user", "abc", "in words"],
    ["refused", "active", "abc", "and on"],
  ]);
});

test("the day before and after are found over months and changes of the clock", () => {
  assert.deepEqual([dayAfter("2026-01-01", -1), dayAfter("2028-02-28", 1), dayAfter("2026-03-29", 1), dayAfter("2026-10-25", -1)], ["2025-12-31", "2028-02-29", "2026-03-30", "2026-10-24"]);
});

test("the first three lines are a session from its beginning to its end, safe in a shell", () => {
  const lines = firstLines("/home/o'neil/world.log");
  assert.deepEqual(lines.map((line) => /\[agent:(\w+)\]/.exec(line)?.[1]), ["start", "active", "finish"]);
  assert.ok(lines.every((line) => line.endsWith(`>> '/home/o'"'"'neil/world.log'`)));
});

test("a bubble that was put aside is another once the session asks anew", () => {
  const asking = { id: "abc", asks: "captcha", movedAt: at(9) };
  const gone = withGone([], keyOf(asking));
  assert.ok(gone.includes(keyOf({ ...asking })));
  assert.ok(!gone.includes(keyOf({ ...asking, asks: "the password" })));
  assert.ok(!gone.includes(keyOf({ ...asking, movedAt: at(10) })));
  assert.ok(!gone.includes(keyOf({ ...asking, id: "abd" })));
});

test("what was put aside is bounded, and what is none of it is forgotten", () => {
  const many = Array.from({ length: 80 }, (_, number) => `s${number}`).reduce(withGone, []);
  assert.deepEqual([many.length, many[0], many.at(-1)], [50, "s30", "s79"]);
  assert.deepEqual(withGone(["a", "b"], "a"), ["b", "a"]);
  assert.deepEqual([null, "{}", "nonsense", "[1,\"a\"]"].map(goneFrom), [[], [], [], ["a"]]);
});
