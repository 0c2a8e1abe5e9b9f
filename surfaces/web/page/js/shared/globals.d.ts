// What the scripts of this folder leave in the global scope, for the page (modules) and the service worker (a classic
// script, for Firefox has had module workers only since 147) alike.

interface KeptAnswer {
  /** idempotency key: the same however often it is sent */
  key: string;
  /** when the person answered, ms since 1970 */
  at: number;
  /** an answer that can still be taken back goes out from here no sooner, ms since 1970 */
  notBefore?: number;
  /** when the card expires, ms since 1970: later it means nothing any more */
  expiresAt: number;
  /** below `/api/v1` */
  path: string;
  body: Record<string, unknown>;
  verb: string;
  cardId: string;
  cardHash: string;
  /** the card's text as it was shown, for saying what became of it */
  text: string;
}

interface SentAnswer {
  kind: "sent" | "refused" | "expired";
  answer: KeptAnswer;
  /** whether the hub had it already */
  repeated?: boolean;
  /** the hub's own words where it refused */
  message: string;
}

interface PulseStoreApi {
  put(store: "answers" | "facts", value: object): Promise<void>;
  get(store: "answers" | "facts", key: string): Promise<any>;
  all(store: "answers" | "facts"): Promise<any[]>;
  remove(store: "answers" | "facts", key: string): Promise<void>;
  clear(): Promise<void>;
}

interface PulseOutboxApi {
  keep(answer: KeptAnswer): Promise<void>;
  list(): Promise<KeptAnswer[]>;
  drop(key: string): Promise<void>;
  flush(): Promise<SentAnswer[]>;
  post(path: string, body: object, key?: string): Promise<{ ok: boolean; status: number; document: any }>;
  readonly TAG: string;
}

interface KeptSession {
  key: "session";
  privateKey: CryptoKey;
  jwk: JsonWebKey;
  /** empty: a key whose session is not begun yet, or over */
  token: string;
  /** the token's hash, as proofs name it */
  ath: string;
}

interface PulseSessionApi {
  NoKeys: new (why: string) => Error;
  isPossible(): boolean;
  isSignedIn(): Promise<boolean>;
  signIn(code: string, title: string): Promise<Response>;
  forget(): Promise<void>;
  signed(path: string, init?: RequestInit, ready?: Record<string, string>): Promise<Response>;
  headersFor(method: string, path: string): Promise<Record<string, string>>;
  firstMessage(address: string): Promise<string>;
}

interface NoticeData {
  deliveryId: string;
  event: string;
  cardId: string;
  cardHash: string;
  token: string;
  verbs: string[];
  risk: string;
  loudness: string;
  expiresAt: string;
  at: string;
  lang: string;
  /** An agent asks a question; `choices` are those that a button can give. */
  asks?: boolean;
  choices?: { question: string; label: string; title?: string }[];
}

type Say = (key: string, values?: Record<string, string>) => string;

interface Notice {
  title: string;
  options: any;
  badge: number | null;
}

interface PulseNoticesApi {
  langOf(message: any): string;
  tagOf(message: any): string;
  noticeOf(message: any, say: Say, buttonsMax?: number): Notice;
  choiceOf(data: Partial<NoticeData>, action: string): { question: string; label: string } | undefined;
  outcomeNotice(
    shown: { title: string; body: string; data: NoticeData },
    kind: string,
    say: Say,
    detail?: string,
    buttonsMax?: number,
  ): Notice;
  isOlder(incoming: NoticeData, shown: NoticeData): boolean;
  isNews(data: NoticeData): boolean;
  sayFrom(words: Record<string, string>): Say;
}

interface PulseBegunApi {
  note(client: string, set: string): Promise<void>;
  setOf(client: string): Promise<string | undefined>;
  clear(): Promise<void>;
}

interface PulseShelfApi {
  fill(): Promise<void>;
  tidy(): Promise<void>;
  answer(request: any, event: any): Promise<Response> | null;
  clear(): Promise<void>;
  words(lang: string): Promise<Record<string, string>>;
  icon(): Promise<string>;
}

interface PulseAddressApi {
  register(subscription: PushSubscription, device: string, lang: string): Promise<boolean>;
  forget(): Promise<void>;
  bytesOf(text: string): Uint8Array<ArrayBuffer>;
  isKey(bytes: ArrayBuffer | null | undefined, text: string): boolean;
}

declare var PulseAddress: PulseAddressApi;
declare var PulseSession: PulseSessionApi;
declare var PulseStore: PulseStoreApi;
declare var PulseOutbox: PulseOutboxApi;
declare var PulseNotices: PulseNoticesApi;
declare var PulseBegun: PulseBegunApi;
declare var PulseShelf: PulseShelfApi;
