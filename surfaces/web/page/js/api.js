/** Talks to the hub over HTTP. What the hub refuses is a `Problem`, a hub that cannot be reached is `Offline`. */

/* global PulseSession */

import "./shared/session.js";
import { t } from "./words.js";

const WAIT_MS_MAX = 20_000;
const UNAVAILABLE = new Set([502, 503, 504]);
const BASE = "/api/v1";
const ASK_AGAIN = "confirm-again";
const NOT_LOOKED_AT = "not-looked-at";
const STOPPED = "rail-kill";
const STOPPING = "stopping";
/** What a hub says of a browser that it does not know, or whose session has ended; no other refusal says that. */
const UNKNOWN_HERE = new Set(["not-signed-in", "session-over"]);
/** @type {Map<string, Record<string, string>>} by path: headers for what is sent as the page is left */
const prepared = new Map();
/** @type {() => Promise<boolean>} asks the person again who they are; what shows that is told by `confirmBy` */
let confirmedAgain = async () => false;
/** @type {(prediction: any) => Promise<boolean>} shows the person what their words would do, and asks; told by `lookBy` */
let lookedAt = async () => false;

/** What the hub refused, in its own words. */
export class Problem extends Error {
  /** @param {{status: number, code: string, detail: string, fix?: string, settled?: object | null, prediction?: object | null, errors?: string[], look?: string}} document an RFC 9457 problem */
  constructor(document) {
    super(document.detail);
    this.name = "Problem";
    this.status = document.status;
    this.code = document.code;
    this.detail = document.detail;
    this.fix = document.fix ?? "";
    this.settled = document.settled ?? null;
    this.prediction = document.prediction ?? null;
    this.errors = document.errors ?? [];
    this.look = document.look ?? "";
  }
}

/** The hub cannot be reached: nothing was answered, so nothing is known. */
export class Offline extends Error {
  constructor() {
    super("Pulse cannot be reached."); // for logs; people are told in their language, which may not be loaded yet
    this.name = "Offline";
  }
}

/**
 * Read.
 * @param {string} path below `/api/v1`, for example `/sync`
 * @param {Promise<Response>} [asked] the answer, where it was asked for before
 * @returns {Promise<any>} the answer's JSON
 * @throws {Problem | Offline}
 */
export async function get(path, asked) {
  return asked ? read(await answered(asked)) : request("GET", path, undefined, {});
}

/**
 * Change something. Where the hub wants to know again who is there, or that what was written was looked at, the person
 * is asked, and it is sent once more.
 * @param {"POST" | "PUT" | "PATCH" | "DELETE"} method
 * @param {string} path below `/api/v1`
 * @param {object} [body]
 * @param {{key?: string, keepalive?: boolean}} [options] `key`: idempotency key, the same when sent again;
 *   `keepalive`: goes out even though the page is being left
 * @returns {Promise<any>} the answer's JSON, null where it has none
 * @throws {Problem | Offline}
 */
export async function send(method, path, body, options = {}) {
  try {
    return await request(method, path, body ?? {}, options);
  } catch (error) {
    if (!(error instanceof Problem) || options.keepalive) throw error;
    if (error.code === ASK_AGAIN && (await confirmedAgain())) return send(method, path, body, options);
    if (error.code !== NOT_LOOKED_AT || !error.look) throw error;
    if (await lookedAt(error.prediction)) return send(method, path, { ...body, look: error.look }, options);
    throw new Problem({ ...error, detail: t("look.declined"), fix: "", prediction: null }); // the card itself has other words
  }
}

/**
 * Name what asks the person again who they are.
 * @param {() => Promise<boolean>} ask answers whether they have confirmed it
 */
export function confirmBy(ask) {
  confirmedAgain = ask;
}

/**
 * Name what shows the person what their words would do, and asks whether that is meant.
 * @param {(prediction: any) => Promise<boolean>} ask
 */
export function lookBy(ask) {
  lookedAt = ask;
}

/**
 * Sign this browser in.
 * @param {string} code
 * @param {string} title
 * @returns {Promise<any>} the session; or a `number`, where the person has to let it in first: then ask again
 * @throws {Problem | Offline | Error}
 */
export async function signIn(code, title) {
  const asked = PulseSession.signIn(code, title);
  await asked.catch((error) => {
    if (error instanceof PulseSession.NoKeys) throw error;
  });
  return read(await answered(asked));
}

/**
 * Read a file, with what shows who asks.
 * @param {string} path below `/api/v1`
 * @returns {Promise<Blob>}
 * @throws {Problem | Offline}
 */
export async function download(path) {
  const answer = await answered(PulseSession.signed(BASE + path, { cache: "no-store" }));
  return answer.ok ? answer.blob() : read(answer);
}

/**
 * Sign for something that may have to be sent as the page is left, when there is no time for it any more.
 * @param {string} path below `/api/v1`, to be posted to
 */
export async function prepare(path) {
  const headers = await PulseSession.headersFor("POST", BASE + path);
  if (headers.authorization) prepared.set(path, headers);
}

/** @param {unknown} error @returns {boolean} whether the hub says that this browser is not paired, or not any more */
export function isUnpaired(error) {
  return error instanceof Problem && UNKNOWN_HERE.has(error.code);
}

/** @returns {string} a fresh idempotency key */
export function newKey() {
  return crypto.randomUUID();
}

/**
 * Say an error in words for a person: what happened, then what to do.
 * @param {unknown} error
 * @returns {string}
 */
export function wordsOf(error) {
  if (error instanceof Problem && error.code === STOPPED) return t("api.stopped"); // a button here does what it names
  if (error instanceof Problem) return error.fix ? `${error.detail} ${error.fix}` : error.detail;
  return t(error instanceof Offline ? "api.offline" : "api.unexpected");
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object | undefined} body
 * @param {{key?: string, keepalive?: boolean}} options
 */
async function request(method, path, body, options) {
  /** @type {Record<string, string>} */
  const headers = { accept: "application/json" };
  if (body !== undefined) headers["content-type"] = "application/json";
  if (options.key) headers["idempotency-key"] = options.key;
  const text = body === undefined ? undefined : JSON.stringify(body);
  const signal = AbortSignal.timeout(WAIT_MS_MAX);
  const { keepalive } = options;
  const ready = keepalive ? prepared.get(path) : undefined;
  prepared.delete(path);
  const init = { method, headers, body: text, keepalive, cache: /** @type {"no-store"} */ ("no-store"), signal };
  return read(await answered(PulseSession.signed(BASE + path, init, ready)));
}

/**
 * @param {Promise<Response>} asked
 * @returns {Promise<Response>}
 */
async function answered(asked) {
  try {
    return await asked;
  } catch {
    throw new Offline(); // fetch rejects only when there was no answer at all
  }
}

/** @param {Response} answer */
async function read(answer) {
  const isJson = /json/.test(answer.headers.get("content-type") ?? "");
  if (answer.ok) return isJson ? answer.json() : null;
  const told = isJson ? await answer.json() : null;
  if (told?.code === STOPPING) throw new Offline(); // the next hub answers
  if (told) throw new Problem(told);
  if (UNAVAILABLE.has(answer.status)) throw new Offline();
  throw new Problem({ status: answer.status, code: "unexpected", detail: t("api.unexpected") });
}
