import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import "../../../surfaces/web/page/js/shared/session.js";

const { PulseSession } = globalThis;
const ORIGIN = "http://127.0.0.1:8420";
/** @type {Map<string, any>} stands in for IndexedDB, which Node has not */
const kept = new Map();
const asked = [];
let plan = [];

globalThis.isSecureContext = true;
globalThis.indexedDB ??= {};
globalThis.location = { origin: ORIGIN };
globalThis.PulseStore = {
  put: async (store, value) => void kept.set(value.key, value),
  get: async (store, key) => kept.get(key),
  remove: async (store, key) => void kept.delete(key),
};
globalThis.fetch = async (path, init) => {
  asked.push({ path, ...init });
  const [status, headers, code] = plan.shift() ?? [200, {}];
  return new Response(JSON.stringify({ token: `token-${asked.length}`, code }), { status, headers });
};

beforeEach(async () => {
  await PulseSession.forget();
  asked.length = 0;
  plan = [];
});

function said(proof) {
  const [head, claims] = proof.split(".", 2).map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  return { head, claims };
}

async function isSigned(proof) {
  const [head, claims, signature] = proof.split(".");
  const key = await crypto.subtle.importKey("jwk", said(proof).head.jwk, { name: "ECDSA", namedCurve: "P-256" }, true, ["verify"]);
  return crypto.subtle.verify({ name: "ECDSA", hash: "SHA-256" }, key, Buffer.from(signature, "base64url"), Buffer.from(`${head}.${claims}`));
}

test("who is not signed in sends nothing, and a key is made only for signing in", async () => {
  await PulseSession.signed("/api/v1/sync");
  assert.deepEqual(asked[0].headers, {});
  assert.equal(await PulseSession.firstMessage("ws://127.0.0.1:8420/pulse"), "");
  assert.equal(kept.size, 0);
  assert.equal(await PulseSession.isSignedIn(), false);
  await PulseSession.signIn("CODE", "Firefox");
  assert.equal(await PulseSession.isSignedIn(), true);
});

test("each request carries the token and a proof of its own, signed with a key that stays here", async () => {
  await PulseSession.signIn("CODE", "Firefox");
  await PulseSession.signed("/api/v1/predictions/a%20b?x=1", { method: "POST" });
  await PulseSession.signed("/api/v1/sync");
  const [first, second, third] = asked.map(({ headers }) => headers);
  assert.equal(first.authorization, undefined);
  assert.equal(said(first.DPoP).claims.ath, undefined);
  assert.deepEqual([second.authorization, third.authorization], ["DPoP token-1", "DPoP token-1"]);
  const { claims, head } = said(second.DPoP);
  assert.deepEqual([head.typ, head.alg, Object.keys(head.jwk)], ["dpop+jwt", "ES256", ["kty", "crv", "x", "y"]]);
  assert.deepEqual([claims.htm, claims.htu], ["POST", `${ORIGIN}/api/v1/predictions/a%20b`]);
  assert.equal(claims.ath, Buffer.from(await crypto.subtle.digest("SHA-256", Buffer.from("token-1"))).toString("base64url"));
  assert.notEqual(claims.jti, said(third.DPoP).claims.jti);
  assert.ok(await isSigned(second.DPoP));
  assert.equal(kept.get("session").privateKey.extractable, false);
  const hello = JSON.parse(await PulseSession.firstMessage("ws://127.0.0.1:8420/pulse"));
  assert.deepEqual([hello.type, hello.token, said(hello.proof).claims.htu], ["auth", "token-1", "ws://127.0.0.1:8420/pulse"]);
});

test("a browser whose clock is wrong sends once more with the hub's nonce, and once only", async () => {
  await PulseSession.signIn("CODE", "Firefox");
  plan = [[401, { "dpop-nonce": "n1" }], [401, { "dpop-nonce": "n2" }]];
  const answer = await PulseSession.signed("/api/v1/sync");
  assert.deepEqual([answer.status, asked.length], [401, 3]);
  assert.equal(said(asked[2].headers.DPoP).claims.nonce, "n1");
});

test("who has signed in again in another tab is signed in here too; else the refusal stands", async () => {
  await PulseSession.signIn("CODE", "Firefox");
  kept.set("session", { ...kept.get("session"), token: "newer" });
  plan = [[401, {}]];
  assert.equal((await PulseSession.signed("/api/v1/sync")).status, 200);
  assert.equal(asked.at(-1).headers.authorization, "DPoP newer");
  plan = [[401, {}]];
  assert.equal((await PulseSession.signed("/api/v1/sync")).status, 401);
});

test("a request that the browser sent twice by itself is asked once more with a fresh proof, a change is not", async () => {
  await PulseSession.signIn("CODE", "Firefox");
  plan = [[401, {}, "proof-replayed"]];
  assert.equal((await PulseSession.signed("/api/v1/session")).status, 200);
  plan = [[401, {}, "proof-replayed"]];
  assert.equal((await PulseSession.signed("/api/v1/session", { method: "POST" })).status, 401);
});

test("signing in again keeps the key, forgetting ends it", async () => {
  await PulseSession.signIn("CODE", "Firefox");
  const { privateKey } = kept.get("session");
  await PulseSession.signIn("CODE", "Firefox");
  assert.equal(kept.get("session").privateKey, privateKey);
  await PulseSession.forget();
  await PulseSession.signIn("CODE", "Firefox");
  assert.notEqual(kept.get("session").privateKey, privateKey);
});

test("a browser that keeps no keys uses no code up", async () => {
  const { put } = globalThis.PulseStore;
  globalThis.PulseStore.put = async () => {
    throw new Error("DataCloneError");
  };
  await assert.rejects(PulseSession.signIn("CODE", "Firefox"), PulseSession.NoKeys);
  globalThis.PulseStore.put = put;
  assert.equal(asked.length, 0);
});
