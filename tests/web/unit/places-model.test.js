import assert from "node:assert/strict";
import { test } from "node:test";

import { PLACES, addressOf, hashOf, movedTo } from "../../../surfaces/web/page/js/views/places-model.js";

test("each place is found at its own address", () => {
  for (const name of PLACES) assert.equal(addressOf(hashOf(name)).name, name);
  assert.deepEqual(PLACES.length, 3);
});

test("a part and the thing in it are read from the address", () => {
  assert.deepEqual(addressOf("#/activity/story/pred_1"), { name: "activity", part: "story", id: "pred_1", card: "" });
  assert.equal(addressOf("#/activity/sessions/a%20b").id, "a b");
  assert.equal(addressOf("#/activity/sessions/%E0%A4%A").id, "");
});

test("a card is opened in front of the inbox, and what is no address leads there", () => {
  assert.deepEqual(addressOf("#card=pred_1"), { name: "inbox", part: "", id: "", card: "pred_1" });
  for (const hash of ["", "#", "#/", "#/nowhere", "#settings", "#/constructor"]) assert.equal(addressOf(hash).name, "inbox");
});

test("addresses of earlier versions lead to where their view has gone", () => {
  assert.equal(movedTo("#/mission"), "#/");
  assert.equal(movedTo("#mission"), "#/");
  assert.equal(movedTo("#/history"), "#/activity");
  assert.equal(movedTo("#history"), "#/activity");
  assert.equal(movedTo("#/history/pred_1"), "#/activity/story/pred_1");
  assert.equal(movedTo("#/sessions"), "#/activity/sessions");
  assert.equal(movedTo("#/sessions/build-7"), "#/activity/sessions/build-7");
  assert.equal(movedTo("#/insight"), "#/activity/trends");
  assert.equal(movedTo("#/drives"), "#/activity/drives");
  assert.equal(movedTo("#/controls"), "#/settings");
  for (const hash of ["", "#/", "#/activity", "#/settings", "#card=pred_1", "#/constructor"]) assert.equal(movedTo(hash), "");
});
