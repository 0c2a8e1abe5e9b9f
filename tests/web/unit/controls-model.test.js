import assert from "node:assert/strict";
import { test } from "node:test";

import { channelPatch, clockTimes, laterThan, levelOf, localInput, notTaken, parsed, quietChoices, written } from "../../../surfaces/web/page/js/views/controls-model.js";
import { darkPath } from "../../../surfaces/web/page/js/views/qr-path.js";

test("what was typed is read with comma, point and unit; anything else is nothing", () => {
  assert.equal(parsed("usd", " 2,50 $"), 2.5);
  assert.equal(parsed("usd", "0"), 0);
  assert.equal(parsed("percent", "85 %"), 0.85);
  assert.equal(parsed("percent", "29"), 0.29);
  assert.equal(parsed("hour", "23"), 23);
  for (const [kind, text] of [["usd", ""], ["usd", "-1"], ["usd", "1e9"], ["usd", "1000001"], ["percent", "101"], ["percent", "NaN"], ["hour", "24"], ["hour", "7.5"], ["usd", "1.2.3"], ["usd", "1,000"], ["usd", "1.000"]]) {
    assert.equal(parsed(kind, text), null, `${kind} ${text}`);
  }
});

test("what is written is read as the same value", () => {
  for (const value of [0, 0.29, 0.57, 0.85, 1]) {
    assert.equal(parsed("percent", written("percent", value)), value);
  }
  assert.deepEqual([written("usd", 2), written("usd", 0.005), written("usd", 2.5, ",")], ["2.00", "0.005", "2,50"]);
  assert.equal(parsed("usd", written("usd", 0.29, ",")), 0.29);
});

test("a change that the hub did not take over is named", () => {
  const config = { enabled: false, costCapPerDay: 5 };
  assert.deepEqual(notTaken({ enabled: true, costCapPerDay: 5, emergencyStop: true, disabledChannels: ["a"] }, config), ["enabled"]);
});

test("one channel is switched and the others stay", () => {
  const channelViews = [{ name: "a", enabled: true }, { name: "b", enabled: false }, { name: "c", enabled: true }];
  assert.deepEqual(channelPatch({ channelViews }, "c", false), { disabledChannels: ["b", "c"] });
  assert.deepEqual(channelPatch({ channelViews }, "b", true), { disabledChannels: [] });
});

test("do-not-disturb ends in an hour, this evening or tomorrow; late at night there is no evening", () => {
  const noon = quietChoices(new Date(2026, 10, 20, 12, 30));
  assert.deepEqual(noon.map(({ choice }) => choice), ["hour", "evening", "tomorrow"]);
  assert.deepEqual(noon[1].until, new Date(2026, 10, 20, 22));
  assert.deepEqual(noon[2].until, new Date(2026, 10, 21, 8));
  assert.deepEqual(quietChoices(new Date(2026, 10, 30, 23)).map(({ choice, until }) => [choice, until.getDate()]), [["hour", 1], ["tomorrow", 1]]);
});

test("only a later moment is taken, and a moment fits its input", () => {
  const now = new Date(2026, 10, 20, 12, 30);
  assert.equal(laterThan("", now), null);
  assert.equal(laterThan("2026-11-20T12:29", now), null);
  assert.deepEqual(laterThan("2026-11-20T12:31", now), new Date(2026, 10, 20, 12, 31));
  assert.equal(localInput(now), "2026-11-20T12:30");
});

test("the level of the kill switch", () => {
  const status = { enabled: true, autonomous: true, state: "autonomous", reason: "" };
  assert.equal(levelOf(status), "alone");
  assert.equal(levelOf({ ...status, autonomous: false, state: "watching" }), "cards");
  assert.equal(levelOf({ ...status, state: "paused" }), "paused");
  assert.equal(levelOf({ ...status, enabled: false, killedBy: "emergency" }), "emergency");
  assert.equal(levelOf({ ...status, enabled: false, killedBy: "file" }), "file");
  assert.equal(levelOf({ ...status, enabled: false, killedBy: "run-time" }), "off");
});

test("dark modules become one rectangle for each run", () => {
  assert.equal(darkPath(["110", "001"]), "M0 0h2v1h-2zM2 1h1v1h-1z");
});

test("times of the day are read as they are listed, and written as the contract has them", () => {
  assert.deepEqual(clockTimes("17:30, 9:00 9.00"), ["09:00", "17:30"]);
  assert.deepEqual(clockTimes(" "), []);
  for (const text of ["25:00", "9", "9:5", "soon"]) assert.equal(clockTimes(text), null, text);
  assert.equal(parsed("count", "0"), 0);
  assert.equal(parsed("count", "1001"), null);
});
