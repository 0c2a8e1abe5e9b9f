import assert from "node:assert/strict";
import { test } from "node:test";
import { calendarDay, clock, dayOf } from "../../../surfaces/web/page/js/format.js";
import { useWords } from "../../../surfaces/web/page/js/words.js";
import { hubClock, hubDay, isSameClock, otherZone, useHubZone } from "../../../surfaces/web/page/js/zones.js";

useWords("en", {});

test("times are on this browser's clock, and the hub's zone is named where its clock is another", () => {
  const moment = "2026-03-03T23:30:00Z";
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  const before = [clock(moment), calendarDay(moment), dayOf(moment, moment)];
  const other = own === "Asia/Tokyo" ? "America/New_York" : "Asia/Tokyo";
  useHubZone(other);
  assert.deepEqual([clock(moment), calendarDay(moment), dayOf(moment, moment)], before);
  assert.equal(otherZone(), other);
  assert.equal(hubClock("08:00"), `08:00 (${other})`);
  assert.equal(hubClock(""), "");
  assert.equal(hubDay("2026-03-03T12:00:00Z"), "2026-03-03");
  for (const name of [own, "No/Where", ""]) {
    useHubZone(name);
    assert.deepEqual([otherZone(), hubClock("08:00")], ["", "08:00"], name);
    assert.equal(hubDay(moment), calendarDay(moment));
  }
});

test("the hub's day is another one where its midnight was already", () => {
  useHubZone("Pacific/Kiritimati"); // 14 hours before UTC
  assert.equal(hubDay("2026-03-03T11:00:00Z"), "2026-03-04");
  useHubZone("");
});

test("a zone of another name with the same clock all year is not another", () => {
  assert.ok(isSameClock("Europe/Berlin", "Europe/Vienna"));
  assert.ok(isSameClock("UTC", "Etc/UTC"));
  assert.ok(!isSameClock("Europe/London", "UTC"), "in summer");
});
