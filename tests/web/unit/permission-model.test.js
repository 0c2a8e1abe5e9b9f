import assert from "node:assert/strict";
import { test } from "node:test";

import { coversOf, effectsOf, grantEnd, grantPaths, offersOf, piecesOf, sentenceOf } from "../../../surfaces/web/page/js/views/permission-model.js";

const PLAIN = { act: "command", text: "a 🚀 rm -rf x", target: "", folder: "/home/anna/shop/", effects: [], marks: [], questions: [] };

test("marks count characters as the hub does, and lose no text", () => {
  const marks = [{ start: 4, end: 12, effect: "deletes" }, { start: 6, end: 8, effect: "deletes" }, { start: 12, end: 99, effect: "deletes" }];
  const pieces = piecesOf({ ...PLAIN, marks });
  assert.equal(pieces.map(({ text }) => text).join(""), PLAIN.text);
  assert.deepEqual(pieces.filter(({ isDangerous }) => isDangerous).map(({ text }) => text), ["rm -rf x"]);
});

test("the dangerous is told before the harmless", () => {
  assert.deepEqual(effectsOf({ ...PLAIN, effects: ["reads", "deletes"] }), { names: ["deletes"], isLoud: true });
  assert.deepEqual(effectsOf({ ...PLAIN, effects: ["reads"] }), { names: ["reads"], isLoud: false });
  assert.deepEqual(effectsOf({ ...PLAIN, effects: ["reads", "runs_project_code"] }), { names: ["runs_project_code"], isLoud: false });
});

test("what only deletes is said to delete", () => {
  assert.equal(sentenceOf({ ...PLAIN, target: "build", effects: ["deletes"] }).key, "permission.asks-delete");
  assert.equal(sentenceOf(PLAIN).key, "permission.asks-command");
  assert.equal(sentenceOf(PLAIN).folder, "shop");
  assert.equal(sentenceOf({ ...PLAIN, target: `a\n${"b".repeat(200)}` }).target.length, 80);
});

test("an end is the one that was chosen, in the zone of the page", () => {
  const now = new Date(2026, 2, 9, 9, 30);
  assert.equal(grantEnd("proposed", "", now), null);
  assert.deepEqual(grantEnd("hour", "", now), new Date(2026, 2, 9, 10, 30));
  assert.deepEqual(grantEnd("today", "", now), new Date(2026, 2, 9, 23, 59));
  assert.deepEqual(grantEnd("week", "", now), new Date(2026, 2, 16, 23, 59));
  assert.deepEqual(grantEnd("date", "2026-03-12", now), new Date(2026, 2, 12, 23, 59));
  assert.equal(grantEnd("date", "", now), null);
  assert.deepEqual(grantPaths(" src \n\n docs/a.md\n"), ["src", "docs/a.md"]);
});

test("what lasts is offered narrow first, and an agent's own offers last", () => {
  const options = [
    { id: "rm", lasts: "session", refuses: false },
    { id: "stop", lasts: "session", refuses: true },
    { id: "once", lasts: "once", refuses: false },
    { id: "pulse-1", lasts: "always", refuses: false },
  ];
  const ids = (list) => list.map(({ id }) => id);
  const { plain, ours, wide } = offersOf(options);
  assert.deepEqual([ids(plain), ids(ours), ids(wide)], [["stop", "once"], ["pulse-1"], ["rm"]]);
});

test("what an agent's offer covers is read from its patterns", () => {
  assert.deepEqual(coversOf("Always allow rm *, npm *, in this session"), ["rm", "npm"]);
  assert.deepEqual(coversOf("Always allow Bash(npm run test:*), in this project"), ["npm run test"]);
  assert.deepEqual(coversOf("Always allow this program, in OpenClaw's own list"), []);
});
