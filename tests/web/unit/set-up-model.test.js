import assert from "node:assert/strict";
import { test } from "node:test";

import { setUpSteps } from "../../../surfaces/web/page/js/views/set-up-model.js";

const NOTHING = { agents: [], repositories: [], devices: 0, push: null };
const done = (facts) => setUpSteps({ ...NOTHING, ...facts }).filter(({ isDone }) => isDone).map(({ name }) => name);

test("on the first day nothing is done, and the agents come first", () => {
  assert.deepEqual(done({}), []);
  assert.equal(setUpSteps(NOTHING)[0].name, "agents");
});

test("each step is done by what it is about", () => {
  assert.deepEqual(done({ agents: [{ state: "incomplete" }] }), []);
  assert.deepEqual(done({ agents: [{ state: "not-connected" }, { state: "connected" }] }), ["agents"]);
  assert.deepEqual(done({ repositories: [{}] }), ["repositories"]);
  assert.deepEqual(done({ devices: 1 }), ["phone"]);
  assert.deepEqual(done({ push: { supported: true, subscribed: true } }), ["notifications"]);
});

test("what this browser cannot do is nobody's to do", () => {
  assert.deepEqual(done({ push: { supported: true, subscribed: false } }), []);
  assert.deepEqual(done({ push: { supported: false, subscribed: false } }), ["notifications"]);
});
