/**
 * What this browser keeps for the page and the service worker (answers that wait, facts such as its session), and the
 * session itself: a key that never leaves the browser, and a token that is worth nothing without it. Both are
 * kept where only this origin can read, and a port is part of an origin: a cookie would go to every port of the machine.
 * Each request carries a fresh proof, signed with the key, for this request alone (RFC 9449).
 * A plain script, so that both can load it, and one, for neither can do without either; it leaves `PulseStore` and
 * `PulseSession`.
 */
/* global PulseStore */

(() => {
  const NAME = "pulse";
  const VERSION = 1;

  /** @type {Promise<IDBDatabase> | null} */
  let opened = null;

  /** @returns {Promise<IDBDatabase>} */
  function open() {
    opened ??= new Promise((resolve, reject) => {
      const request = indexedDB.open(NAME, VERSION);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("answers", { keyPath: "key" });
        request.result.createObjectStore("facts", { keyPath: "key" });
      };
      request.onsuccess = () => {
        request.result.onversionchange = () => forget(request.result);
        request.result.onclose = () => forget(request.result);
        resolve(request.result);
      };
      request.onerror = () => reject(request.error);
      request.onblocked = () => reject(new Error("an older page keeps the store open"));
    });
    opened.catch(() => (opened = null)); // the next one who asks tries again
    return opened;
  }

  /** @param {IDBDatabase} database */
  function forget(database) {
    database.close();
    opened = null;
  }

  /**
   * @param {string[]} stores
   * @param {"readonly" | "readwrite"} mode
   * @param {(transaction: IDBTransaction) => IDBRequest | void} act
   * @returns {Promise<any>} the request's result, once all of it is on disk
   */
  async function within(stores, mode, act) {
    const transaction = (await open()).transaction(stores, mode, { durability: "strict" }); // a browser that is killed loses nothing
    const request = act(transaction);
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request?.result);
      transaction.onerror = () => reject(transaction.error);
      transaction.onabort = () => reject(transaction.error);
    });
  }

  globalThis.PulseStore = {
    put: (store, value) => within([store], "readwrite", (all) => all.objectStore(store).put(value)),
    get: (store, key) => within([store], "readonly", (all) => all.objectStore(store).get(key)),
    all: (store) => within([store], "readonly", (all) => all.objectStore(store).getAll()),
    remove: (store, key) => within([store], "readwrite", (all) => all.objectStore(store).delete(key)),
    clear: () =>
      within(["answers", "facts"], "readwrite", (all) => {
        all.objectStore("answers").clear();
        all.objectStore("facts").clear();
      }),
  };
})();

(() => {
  const KEPT = "session";
  const KIND = { name: "ECDSA", namedCurve: "P-256" };
  const SIGNING = { name: "ECDSA", hash: "SHA-256" };
  const TYPE = "dpop+jwt";
  const NOT_SIGNED_IN = 401;
  const SIGNED_IN = 200;
  const REPLAYED = "proof-replayed";
  const MS_PER_SECOND = 1_000;
  const text = new TextEncoder();

  /** This browser makes or keeps no keys: some private windows do not. */
  class NoKeys extends Error {}

  /** @type {Promise<KeptSession | null> | null} */
  let held = null;
  /** the hub's own time under its seal, for a browser whose clock is wrong */
  let nonce = "";

  /** @returns {boolean} whether this page can have a key: only encrypted pages and those of this machine can */
  function isPossible() {
    return Boolean(globalThis.isSecureContext && globalThis.crypto?.subtle && globalThis.indexedDB);
  }

  /** @returns {Promise<KeptSession | null>} what is kept here */
  function mine() {
    held ??= isPossible() ? PulseStore.get("facts", KEPT).then((kept) => kept ?? null, () => null) : Promise.resolve(null);
    return held;
  }

  /** @returns {Promise<boolean>} whether a session is kept here; the hub may have ended it meanwhile */
  async function isSignedIn() {
    return Boolean((await mine())?.token);
  }

  /**
   * @param {string} code
   * @param {string} title what this browser is to be called
   * @returns {Promise<Response>} the hub's answer; where it is good, the session is kept
   * @throws {NoKeys} this browser keeps no keys; the code is not used up
   */
  async function signIn(code, title) {
    const bare = await keyOnly();
    const body = JSON.stringify({ code, title });
    const headers = { "content-type": "application/json", accept: "application/json" };
    const answer = await signed("/api/v1/session", { method: "POST", headers, body, cache: "no-store" });
    if (answer.status !== SIGNED_IN) return answer; // refused, or it has to wait
    const { token } = await answer.clone().json();
    const whole = { ...bare, token, ath: base64url(await crypto.subtle.digest("SHA-256", text.encode(token))) };
    await PulseStore.put("facts", whole);
    held = Promise.resolve(whole);
    return answer;
  }

  /** @returns {Promise<KeptSession>} the key that this browser has, or a fresh one; kept, so that it can be kept */
  async function keyOnly() {
    try {
      const bare = { ...((await mine()) ?? (await made())), token: "", ath: "" };
      await PulseStore.put("facts", bare);
      held = Promise.resolve(bare);
      return bare;
    } catch (error) {
      throw new NoKeys(String(error));
    }
  }

  /** @returns {Promise<KeptSession>} a fresh key, which no script can read */
  async function made() {
    const { privateKey, publicKey } = await crypto.subtle.generateKey(KIND, false, ["sign", "verify"]);
    const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", publicKey);
    return { key: KEPT, privateKey, jwk: { kty, crv, x, y }, token: "", ath: "" };
  }

  /** Forget key and token: this browser is signed out. */
  async function forget() {
    held = null;
    if (isPossible()) await PulseStore.remove("facts", KEPT);
  }

  /**
   * Ask the hub for something, as who is signed in here.
   * @param {string} path
   * @param {RequestInit} [init]
   * @param {Record<string, string>} [ready] headers that were made before, for when there is no time to sign
   * @returns {Promise<Response>}
   */
  async function signed(path, init = {}, ready = undefined) {
    const ask = (/** @type {Record<string, string>} */ headers) => fetch(path, { ...init, headers: { ...init.headers, ...headers } });
    if (ready) return ask(ready); // nothing may be waited for
    const before = await mine();
    const answer = await ask(await headersFor(init.method ?? "GET", path));
    if (answer.status !== NOT_SIGNED_IN) return answer;
    const told = answer.headers.get("dpop-nonce");
    if (told) nonce = told;
    else if (!(await isTwice(answer, init)) && !(await isNew(before))) return answer;
    return ask(await headersFor(init.method ?? "GET", path));
  }

  /**
   * Whether the browser itself sent a request twice, with one proof, as it does when a connection breaks off.
   * @param {Response} answer @param {RequestInit} init
   */
  async function isTwice(answer, { method = "GET" }) {
    return method === "GET" && (await answer.clone().json().catch(() => null))?.code === REPLAYED;
  }

  /** @param {KeptSession | null} before @returns {Promise<boolean>} whether another tab has signed in meanwhile */
  async function isNew(before) {
    held = null;
    const now = await mine();
    return Boolean(now?.token) && now?.token !== before?.token;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @returns {Promise<Record<string, string>>} what shows the hub who asks; nothing where nobody is signed in
   */
  async function headersFor(method, path) {
    const session = await mine();
    if (!session || (!session.token && path !== "/api/v1/session")) return {};
    const { origin, pathname } = new URL(path, location.origin);
    const said = { DPoP: await proof(session, method, origin + pathname) };
    return session.token ? { ...said, authorization: `DPoP ${session.token}` } : said;
  }

  /**
   * @param {string} address of a WebSocket
   * @returns {Promise<string>} what to say on it first; empty where nobody is signed in
   */
  async function firstMessage(address) {
    const session = await mine();
    if (!session?.token) return "";
    return JSON.stringify({ type: "auth", token: session.token, proof: await proof(session, "GET", address) });
  }

  /** @param {KeptSession} session @param {string} method @param {string} address */
  async function proof({ privateKey, jwk, ath }, method, address) {
    const claims = {
      htm: method,
      htu: address,
      iat: Date.now() / MS_PER_SECOND,
      jti: crypto.randomUUID(),
      ...(ath ? { ath } : {}),
      ...(nonce ? { nonce } : {}),
    };
    const said = [{ typ: TYPE, alg: "ES256", jwk }, claims].map((one) => base64url(text.encode(JSON.stringify(one)))).join(".");
    return `${said}.${base64url(await crypto.subtle.sign(SIGNING, privateKey, text.encode(said)))}`;
  }

  /** @param {ArrayBuffer | Uint8Array} bytes */
  function base64url(bytes) {
    const plain = btoa(String.fromCharCode(...new Uint8Array(bytes)));
    return plain.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }

  globalThis.PulseSession = { NoKeys, isPossible, isSignedIn, signIn, forget, signed, headersFor, firstMessage };
})();
