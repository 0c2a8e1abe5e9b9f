import assert from "node:assert/strict";
import { test } from "node:test";
import { LOCK_PX, axisOf, isSeen, leaningOf, meaningOf, verbOfKey } from "../../../surfaces/web/page/js/views/gestures.js";

const swipe = (dx, dy, vx = 0, vy = 0) => ({ dx, dy, vx, vy, width: 320, height: 300 });

test("letters answer from anywhere, arrows only a card that has the focus", () => {
  assert.equal(verbOfKey("a", false), "approve");
  assert.equal(verbOfKey("ArrowRight", false), "");
  assert.equal(verbOfKey("ArrowRight", true), "approve");
  assert.equal(verbOfKey("q", true), "");
});

test("a card is seen where half of it, or half a window of it, is free of what lies over the page", () => {
  assert.equal(isSeen({ top: 100, bottom: 500 }, 60, 800), true);
  assert.equal(isSeen({ top: -300, bottom: 100 }, 60, 800), false);
  assert.equal(isSeen({ top: 700, bottom: 1_100 }, 60, 800), false);
  assert.equal(isSeen({ top: -200, bottom: 2_000 }, 60, 800), true);
  assert.equal(isSeen({ top: 900, bottom: 901 }, 60, 800), false);
});

test("the axis is known only after a few pixels, and is the longer one", () => {
  assert.equal(axisOf(LOCK_PX - 1, 0), "");
  assert.equal(axisOf(20, 19), "x");
  assert.equal(axisOf(-3, -20), "y");
});

test("far enough to a side means approve or dismiss, up means snooze", () => {
  assert.equal(meaningOf(swipe(110, 0), "x"), "approve");
  assert.equal(meaningOf(swipe(-110, 0), "x"), "reject");
  assert.equal(meaningOf(swipe(0, -90), "y"), "snooze");
});

test("not far enough, downwards, or without an axis means nothing", () => {
  assert.equal(meaningOf(swipe(90, 0), "x"), null);
  assert.equal(meaningOf(swipe(0, 250), "y"), null);
  assert.equal(meaningOf(swipe(300, 0), ""), null);
});

test("a flick is enough; a movement that turned back is not", () => {
  assert.equal(meaningOf(swipe(40, 0, 0.9), "x"), "approve");
  assert.equal(meaningOf(swipe(-40, 0, -0.9), "x"), "reject");
  assert.equal(meaningOf(swipe(0, -40, 0, -0.9), "y"), "snooze");
  assert.equal(meaningOf(swipe(20, 0, 0.9), "x"), null);
  assert.equal(meaningOf(swipe(200, 0, -0.9), "x"), null);
});

test("a locked axis ignores the other one", () => {
  assert.equal(meaningOf(swipe(110, -250), "x"), "approve");
  assert.equal(meaningOf(swipe(250, -10), "y"), null);
});

test("the card leans to what letting go would mean", () => {
  assert.deepEqual(leaningOf(swipe(300, 0), "x"), { verb: "approve", share: 1 });
  assert.deepEqual(leaningOf(swipe(0, -300), "y"), { verb: "snooze", share: 1 });
  assert.deepEqual(leaningOf(swipe(0, 42), "y"), { verb: null, share: 0 });
});
