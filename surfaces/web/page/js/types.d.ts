// Generated from the contract by `python -m surfaces.web.page_types`; do not edit.

/** What an agent asks leave for; it says what the text of the request is. */
export type Act = "command" | "edit" | "fetch" | "other" | "plan" | "question" | "read";

/** Body of `POST /api/v1/actions`: a device's answer to what it was pushed, by the action token that came with it. The device signs in as itself beside it, so that a carrier of the token cannot answer with it. `permission` is what is answered to an agent beyond yes or no, such as the choice that was taken. `shown` is the text beside which it was pressed: a browser's yes is taken only where that is the card's own. */
export interface ActionRequest {
  token: string;
  decisionId: string;
  verb: Verb;
  humanInput?: HumanInput;
  at?: string | null;
  prompt?: string | null;
  reason?: string;
  minutes?: number | null;
  until?: string | null;
  permission?: PermissionAnswer | null;
  shown?: string;
}

/** Where the Live Activity of one execution takes its updates. */
export interface ActivityToken {
  executionId: string;
  token: string;
}

/** The answer of `GET /api/v1/addresses/{surface}`: for the gateway of that surface. */
export interface AddressList {
  user: string;
  addresses: AddressView[];
}

/** Body of `PUT /api/v1/devices/{surface}/{device}/address`. */
export interface AddressRequest {
  address: WebPushAddress | ApnsAddress;
}

/** One device that is reached through a push service. */
export interface AddressView {
  device: string;
  address: WebPushAddress | ApnsAddress;
}

/** The answer of `GET /api/v1/agents`. */
export interface AgentList {
  agents: AgentView[];
  count: number;
}

/** A question of an agent: one of the choices, with `several` any number of them, or with `ownWords` free text. Only a question that the hub itself asks has `textWorded`: its text as a code. What is answered is a choice's `label`, in whatever language it was shown. */
export interface AgentQuestion {
  id: string;
  text: string;
  heading: string;
  choices: QuestionChoice[];
  several: boolean;
  ownWords: boolean;
  textWorded: Phrasing | null;
}

/** Where a session is; which may follow which is in `hub/domain/world_states.py`. */
export type AgentStatus = "active" | "failed" | "finish" | "retry" | "start" | "verified";

/** One channel and its agent: what it does now, or else what it last did; what it used since midnight. `failed` lasts until something is run there again. `tokens_today` is null where the agent reports none. `containment` says what its runs can see and reach. */
export interface AgentView {
  channel: string;
  agent: string;
  specialty: string;
  state: "failed" | "idle" | "queued" | "running";
  predictionId: string | null;
  doing: string;
  since: string | null;
  lastLine: string;
  tokensToday: number | null;
  costTodayUsd: number;
  runsToday: number;
  containment: string;
}

/** How far Pulse has come in acting alone: `new` and `learning` ask about everything, `trusted` has leave for some. `says` is that in English, with what comes next; the other fields are what it is made of, for whoever says it in another language. `answers` were given so far, `left` more of them end `new`; `row` is the longest row of yeses to the same work that lasts, `needed` how long one has to be before Pulse asks (0: it never does); `allowed` is how many things may run without asking. */
export interface AloneProgress {
  phase: "learning" | "new" | "trusted";
  says: string;
  answers: number;
  row: number;
  left: number;
  needed: number;
  allowed: number;
}

/** What else goes on without asking: by a setting, or as an agent's own mode has it. `kind` is `autonomous`, `wake`, `run` (an agent in a run that was let begin) or `mode` (an agent that asks by its hooks). `summary` is what goes on, `change` where that is changed; both come as codes, too. */
export interface AloneView {
  kind: string;
  summary: string;
  change: string;
  summaryWorded: Phrasing | null;
  changeWorded: Phrasing | null;
}

/** A person's answer was taken (or had been taken before). */
export interface AnswerReply {
  prediction: Prediction;
  repeated: boolean;
  message: string;
}

/** Body of confirm, reject, snooze, edit, undo, stop, retry, less, never, fix and ignore; may be empty. `attempt` names the failed run that a retry, fix or ignore means (`attempts` of the card then): it counts only once. `round` is the card's, as it was shown: an answer to an earlier one is not taken. `about` is how far `less` and `never` reach; left out, `less` is of this kind everywhere, `never` of this kind here. `permission` is what is answered to an agent beyond yes or no. `latest` is that the person wrote that word for the card, and `look` what came with the card when an answer was refused because it, or the words that the answer brings, had not been looked at. */
export interface AnswerRequest {
  cardHash?: string | null;
  reason?: string;
  until?: string | null;
  minutes?: number | null;
  prompt?: string | null;
  attempt?: number | null;
  round?: number | null;
  about?: Breadth | null;
  permission?: PermissionAnswer | null;
  humanInput?: HumanInput;
  surface?: string;
  device?: string;
  idempotencyKey?: string | null;
  latest?: boolean;
  look?: string | null;
}

/** An app's push tokens with Apple (APNs), one for each thing that it shows; empty for what it does not show. `token` is for notifications, `widget_token` for WidgetKit, `complication_token` for the older watch complications, `control_token` for controls, `start_token` for starting Live Activities, `activities` for those that run. `topic` is the app's bundle id; empty means that of the settings. `strings` is the version of our sentences that the app carries; 0 for none, and then they are sent in `lang`. `categories` is the version of our sets of buttons that it has registered; 0 for the first. `environment` may be unknown: it is then found out. */
export interface ApnsAddress {
  kind: "apns";
  token: string;
  environment?: "production" | "sandbox" | "unknown";
  registeredAt?: string | null;
  topic?: string;
  widgetToken?: string;
  complicationToken?: string;
  controlToken?: string;
  startToken?: string;
  activities?: ActivityToken[];
  lang?: string;
  strings?: number;
  categories?: number;
  model?: string;
}

/** How an ask stands; `answered` false means that nobody has answered yet. */
export interface AskReply {
  prediction: Prediction;
  answered: boolean;
  approved: boolean;
}

/** Body of `POST /api/v1/ask`: an agent or script asks a person for approval of something of its own. */
export interface AskRequest {
  question: string;
  risk?: Risk;
  timeoutS?: number;
  asker?: string;
  details?: string;
  waitS?: number;
  idempotencyKey?: string | null;
}

/** One terminal that asks to be let in, as a page and an app are told. */
export interface AskingTerminal {
  id: string;
  title: string;
}

/** What today has cost in interruptions, of how many; how many suggestions wait; and when a digest is due. */
export interface AttentionStatus {
  spent: number;
  perDay: number;
  held: number;
  nextDigestAt: string | null;
}

/** The first place where the audit does not hold: the number of the record (from 0), its id, and what is wrong. */
export interface AuditBreak {
  index: number;
  id: string;
  kind: "beginning" | "changed" | "end" | "out-of-line" | "rewritten" | "unknown";
  says: string;
}

/** The answer of `GET /api/v1/drives/mutations`: the latest changes, newest first, and whether all of them hold. `count` is how many there are; `intact` that every one of them is as it was written. */
export interface AuditView {
  mutations: MutationView[];
  count: number;
  intact: boolean;
  broken: AuditBreak | null;
}

/** The states of CROSSPOLL 5.2. */
export type Autonomy = "autonomous" | "disabled" | "paused" | "priming" | "watching";

/** What happened while the person was away, once they are back: `says` in English, and what it is made of. */
export interface AwaySummary {
  says: string;
  since: string;
  until: string;
  alone: number;
  failed: number;
  approved: number;
  rejected: number;
  made: number;
  finished: number;
  pairs: number;
  waiting: number;
}

/** Small marks on a card. */
export type Badge = "NEW" | "risky" | "suggested";

/** How far "less" and "never" reach: this kind everywhere, this kind here, all of a repository or of a channel. */
export type Breadth = "channel" | "here" | "kind" | "repository";

/** Predictions of one confidence range and how many of the answered ones were approved. */
export interface CalibrationBucket {
  bucket: string;
  predictions: number;
  approvalRate: number | null;
}

/** One field of a call that an agent makes: its name, and its value as a text, whose end may be cut. */
export interface CallField {
  name: string;
  value: string;
}

/** What was spent of one cap. */
export interface Cap {
  window: "day" | "hour" | "month";
  spentUsd: number;
  capUsd: number;
}

/** One event for one device: how loudly, and which verbs a person may answer with there. `token` is the signed action token for this card, this device and these verbs, until `expires_at`; empty when nothing may be answered. With a digest it is empty, and `items` has one for each of its cards. `pending` is how many cards wait with this one, for the number on an icon; None where the hub did not say. */
export interface CardDelivery {
  deliveryId: string;
  event: PredictionNew | PredictionSettled | PredictionSnoozed | PredictionReturned | PredictionExpired | PredictionExecuted | ExecutionStarted | ExecutionProgress | ExecutionFailed | CostApproaching | StatusChanged | Paused | Resumed | DigestReady;
  loudness: "alert" | "badge" | "notify" | "silent";
  verbs: Verb[];
  token: string;
  expiresAt: string;
  privacy: "full" | "nothing" | "title";
  items: DigestItem[];
  pending: number | null;
}

/** Answered suggestions of one range of chances: how likely a yes was said to be on average, how often it came. */
export interface ChancePoint {
  low: number;
  high: number;
  answers: number;
  said: number;
  came: number;
}

/** How far the chances of a yes can be believed, by the answers that came; `more` answers until it can be judged. Until then the figures are null and there are no points. `apart` is how far saying and coming are apart on average (expected calibration error), `brier` the mean squared error (0.25 is what always saying one half gets), `sharpness` the variance of what was said: 0 where all is said alike. */
export interface ChancesJudged {
  answers: number;
  more: number;
  apart: number | null;
  brier: number | null;
  sharpness: number | null;
  points: ChancePoint[];
}

/** A file that a run changed, seen from its folder; lines added and removed, null where nobody can count them. */
export interface ChangedFile {
  path: string;
  added: number | null;
  removed: number | null;
}

/** A grant that an update of Pulse narrowed or ended, since earlier ones allowed more than they said. `was` is what it said, `left` what it is now (`leftWorded` as a code), empty where it ended. */
export interface ChangedGrantView {
  id: string;
  was: string;
  at: string;
  left: string;
  leftWorded: Phrasing | null;
}

/** One channel over the whole span. */
export interface ChannelFigures {
  channel: string;
  suggestions: number;
  approved: number;
  rejected: number;
  executed: number;
  failed: number;
  costUsd: number;
  handedOver: number;
}

/** One channel as configured, and whether suggestions for it are made at present. */
export interface ChannelView {
  name: string;
  specialty: string;
  agent: string;
  risk: Risk;
  costPerRunUsd: number;
  enabled: boolean;
  specialtyWorded: Phrasing | null;
}

/** The answer of `GET /api/v1/coding-agents`. */
export interface CodingAgentList {
  agents: CodingAgentView[];
  count: number;
  missing: MissingAgentView[];
}

/** One coding agent that is on this machine, or connected. `command` connects it, or disconnects one that is connected, and the change is that command's: `file` is what it changes, empty where nothing of the agent's own changes; `adds` and `removes` are the lines that would come and go there, at most the first of them; `more` says how many are left out. `says` is what a person should know before they connect it (`saysWorded` as codes), `notes` what stands in the way, as sentences (`notesWorded` as codes), and `since` when it was connected, where that is known. */
export interface CodingAgentView {
  agent: string;
  title: string;
  state: "another-pulse" | "connected" | "incomplete" | "not-connected" | "unreadable";
  command: string;
  file: string;
  adds: string[];
  removes: string[];
  more: number;
  says: string[];
  notes: string[];
  saysWorded: (Phrasing | null)[];
  notesWorded: (Phrasing | null)[];
  since: string | null;
}

/** The answer of `GET /api/v1/predictions/{id}/changes`: all of the diff that a card would commit, and pictures. `isCurrent` is false where the files are others by now, or the card is over: then it is what the card itself has. */
export interface CommitChanges {
  diff: string;
  diffCut: boolean;
  isCurrent: boolean;
  pictures: CommitPicture[];
}

/** A picture among the files of a commit, as it was before or is now; `data` is base64. */
export interface CommitPicture {
  path: string;
  isBefore: boolean;
  media: "image/gif" | "image/jpeg" | "image/png" | "image/webp";
  data: string;
}

/** What a commit would hold: its message, every file, and the diff, of which there is more where `diffCut`. `GET /predictions/{id}/changes` has all of the diff, and the pictures. */
export interface CommitPlan {
  message: string;
  files: FileToCommit[];
  diff: string;
  diffCut: boolean;
}

/** The configuration as it runs: the file's, with what was changed while Pulse ran (`overrides`). What runs alone waits for `silenceS` without a sign of the person, and has `sessionSMax` and `allowedTools`. */
export interface ConfigAnswer {
  enabled: boolean;
  autonomous: boolean;
  intervalMs: number;
  costCapPerHour: number;
  costCapPerDay: number;
  costCapPerMonth: number;
  autoExecuteThreshold: number;
  quietHoursStart: number;
  quietHoursEnd: number;
  channels: string[];
  suggestThreshold: number;
  showThreshold: number;
  zone: string;
  channelViews: ChannelView[];
  status: CrossPollStatus;
  needlessInterruption: "awful" | "bad" | "mild";
  missedHelp: "awful" | "bad" | "mild";
  wrongAct: "awful" | "bad" | "mild";
  interruptionsPerDay: number;
  digestTimes: string[];
  digestOnReturn: boolean;
  twinModel: string;
  twinModelEnabled: boolean;
  dndUntil: string | null;
  overrides: OverrideView[];
  silenceS: number;
  sessionSMax: number;
  allowedTools: string[];
}

/** Body of `PATCH /api/v1/crosspoll/config`: lasts until it is reset, and cannot lift what the file forbids. `twin_model` is the model to ask from now on, at the first of the services that the file names; `twin_model_enabled` whether any is asked. */
export interface ConfigPatch {
  enabled?: boolean | null;
  autonomous?: boolean | null;
  intervalMs?: number | null;
  costCapPerHour?: number | null;
  costCapPerDay?: number | null;
  costCapPerMonth?: number | null;
  autoExecuteThreshold?: number | null;
  suggestThreshold?: number | null;
  showThreshold?: number | null;
  disabledChannels?: string[] | null;
  quietHoursStart?: number | null;
  quietHoursEnd?: number | null;
  needlessInterruption?: "awful" | "bad" | "mild" | null;
  missedHelp?: "awful" | "bad" | "mild" | null;
  wrongAct?: "awful" | "bad" | "mild" | null;
  interruptionsPerDay?: number | null;
  digestTimes?: string[] | null;
  digestOnReturn?: boolean | null;
  twinModel?: string | null;
  twinModelEnabled?: boolean | null;
  dndUntil?: string | null;
  dndOff?: boolean | null;
  emergencyStop?: boolean | null;
  reenableMonth?: boolean | null;
}

/** How the person confirmed, and until when that is enough. */
export interface ConfirmAnswer {
  how: "code" | "passkey";
  until: string;
}

/** Body of `POST /api/v1/session/confirm`: a code from `pulse confirm`, or a passkey's answer as JSON text. */
export interface ConfirmRequest {
  code?: string;
  credential?: string;
}

/** Spending passed the warning share of a cap. */
export interface CostApproaching {
  type: "cost.approaching";
  window: "day" | "hour" | "month";
  spentUsd: number;
  capUsd: number;
}

/** How many tests there were of each kind; of `packages`, where the tool counts no single tests. */
export interface CountedTests {
  passed: number;
  failed: number;
  errors: number;
  skipped: number;
  of: "packages" | "tests";
}

/** The autonomous state and its budgets. `killed_by` is the level of the kill switch that holds, empty for none; `month_stopped` that the month's cap was reached, which only a person lifts. `reason_worded` is why the state is so as a code, unless a person said it. `mutes` is how many wishes for less or none of something hold, `grants` how many things may run without asking, and `progress` how far Pulse has come in that. `away` is there for an hour after a return: what happened meanwhile. `model_trouble` says which model does not answer, and why (as a code, too); empty while all do. `attention` is what today has cost in interruptions, and what waits for a good moment; `drives` is what presses, and `world` how the sessions of the world log are. `reach` says on which devices nothing reaches the person, and why. */
export interface CrossPollStatus {
  enabled: boolean;
  autonomous: boolean;
  state: Autonomy;
  reason: string;
  lastTriggerAt: string | null;
  totalTriggers: number;
  costThisHour: number;
  costCapPerHour: number;
  costToday: number;
  costCapPerDay: number;
  costThisMonth: number;
  costCapPerMonth: number;
  quiet: boolean;
  pending: number;
  loopDetections: number;
  mutes: number;
  grants: number;
  progress: AloneProgress | null;
  away: AwaySummary | null;
  attention: AttentionStatus | null;
  drives: DrivesStatus | null;
  world: WorldStatus | null;
  dndUntil: string | null;
  killedBy: "" | "emergency" | "file" | "run-time";
  monthStopped: boolean;
  modelTrouble: string;
  modelTroubleWorded: Phrasing | null;
  reasonWorded: Phrasing | null;
  reach: ReachStatus | null;
}

/** One day in the person's time zone. `interruptions` are those that count against the day's. Suggestions made on that day count by what has become of them since; what ran by itself was neither approved nor rejected. Runs and their cost count on the day on which they were queued: `executed` are those that were proven done, `handedOver` those of which nothing shows whether they are. */
export interface Day {
  day: string;
  suggestions: number;
  approved: number;
  rejected: number;
  expired: number;
  executed: number;
  failed: number;
  blocked: number;
  interruptions: number;
  costUsd: number;
  approvalRate: number | null;
  handedOver: number;
}

/** One thing of a day: a meeting, a task that is due, one that was due before, or something of the day after. `time` is on the person's own clock (`10:00`); empty for what lasts all day, and for what was due before. */
export interface DayEntry {
  kind: "meeting" | "overdue" | "task" | "tomorrow";
  title: string;
  time: string;
}

/** What a day brings, in its order, and what the day before brought: runs, answers, tasks that were ticked off. `more` is how many things of the day there are beyond those that are listed. */
export interface DaySummary {
  day: string;
  entries: DayEntry[];
  more: number;
  done: number;
  failed: number;
  approved: number;
  rejected: number;
  tasks: number;
}

/** A person's answer, handed in by a device; bound to what was shown by the card's hash. `shown` says whether all of what a yes lets run was shown there, or only a part of it: then no yes is taken, nor is one to a card whose text the device was not to show (`privacy`), unless `whole` says that it was asked for there. `about` is how far `less` and `never` reach, `permission` what is answered to an agent beyond yes or no. `voters` names everybody whose vote was looked at, where the answer came out of a vote. `proof` shows over MQTT that the device itself says all this (`hub/kit/mqtt/proof.py`). */
export interface Decision {
  decisionId: string;
  predictionId: string;
  verb: Verb;
  cardHash: string;
  token: string;
  humanInput: HumanInput;
  at: string;
  by: string;
  prompt: string | null;
  reason: string;
  until: string | null;
  about: Breadth | null;
  permission: PermissionAnswer | null;
  voters: Voter[];
  shown: "" | "part" | "whole";
  proof: string;
}

/** One decision: what to suggest (`what`), whether it may run (`may`), or how it is told (`where`). `same` is null where not enough was kept to decide again; `was` is what came out then, `now` what comes out now. */
export interface DecisionView {
  at: string;
  room: "may" | "what" | "where";
  same: boolean | null;
  was: string;
  now: string;
}

/** A file that says what runs, with the SHA-256 of its content; seen from the folder, or with its full path. */
export interface DefinedBy {
  path: string;
  sha256: string;
}

/** What the ledger knows, honestly, of one card on one device. */
export type DeliveryState = "accepted" | "acted" | "cleared" | "dead" | "queued" | "shown" | "unknown";

/** The answer of `GET /api/v1/devices`. */
export interface DeviceList {
  devices: DeviceView[];
  count: number;
}

/** Body of `PATCH /api/v1/devices/{surface}/{device}`; a missing field keeps its value. */
export interface DevicePatch {
  title?: string | null;
  privacy?: "full" | "nothing" | "title" | null;
}

/** What this kind of device gets of each event, and which verbs it may offer for which risk. `matrix` names the loudness of each row of CROSSPOLL 6.2; without a row the device is told silently of what happens to a card, and of nothing else. A device that `needs_address` is reached through its push service and told nothing before it has given one. One that is `live_while_present` reads the live feed while it is online, and is sent nothing beside it then. `inputs` are what a person can do there; an answer by anything else is refused. To one that `tries_each_row` a person's test shows a notification of each row that it is told of, to others one card. A surface that is `started_by_hand` may be run by the person's own command line, which then answers as it. One that `lists_held` is a list to look at: it shows, silently, what nobody was told of yet. One that shows `alike_together` is told of several requests of one kind in one message, each with its own answers. Where it `answers_questions` a person can choose among an agent's answers or write one; elsewhere no yes to it is offered. A card with a text longer than `shows_chars_max` is never shown whole there, so that no yes to it is offered; 0 is no such bound. Where it `unfolds` a person can ask for a text that is hidden (`privacy`) and is shown all of it; elsewhere no yes to one is offered. One that `confirms_shown` says itself what it has shown; that its push service took it proves nothing. Where `login_in_files` all that shows the person there is a login that every program of the hub's user can read; then `own_ideas_only` once an agent is connected (`hub/where`): no yes but to what Pulse worded, at low risk. `begun_by` says in a sentence what a person does to be told there again. */
export interface DeviceProfile {
  name: string;
  surface: string;
  title: string;
  matrix: Record<string, "alert" | "badge" | "notify" | "silent">;
  verbs: Verb[];
  approve_up_to: Risk;
  privacy: "full" | "nothing" | "title";
  payload_bytes_max: number;
  only_while_present: boolean;
  needs_address: boolean;
  live_while_present: boolean;
  tries_each_row: boolean;
  started_by_hand: boolean;
  lists_held: boolean;
  alike_together: boolean;
  answers_questions: boolean;
  unfolds: boolean;
  confirms_shown: boolean;
  login_in_files: boolean;
  own_ideas_only: boolean;
  begun_by: string;
  shows_chars_max: number;
  inputs: HumanInput[];
}

/** Body of `POST /api/v1/devices`: pair a device; `profile` names one of the device profiles. */
export interface DeviceRequest {
  surface: string;
  device: string;
  profile: string;
}

/** The answer of `GET /api/v1/devices/{surface}/{device}/test`: what became of the last test, null before any. */
export interface DeviceTest {
  state: DeliveryState | null;
  detail: string;
  at: string | null;
  fix: string;
}

/** One paired device. `arrives_since` is when the first message arrived of those that arrive there now; None where none has, or the last did not. `unreached` says why nothing reaches the person there now; None where nothing is known against it. `paired_at` tells devices of one name apart; None for one that was paired before that was kept. */
export interface DeviceView {
  surface: string;
  device: string;
  profile: string;
  online: boolean;
  personActiveAt: string | null;
  title: string;
  privacy: "full" | "nothing" | "title";
  reachable: boolean;
  this: boolean;
  arrivesSince: string | null;
  unreached: Unreached | null;
  pairedAt: string | null;
}

/** The leave to answer one card of a digest on one device: what a delivery has for a card that comes alone. `delivery_id` is the card's own, for a receipt that says that just this card was shown. */
export interface DigestItem {
  deliveryId: string;
  predictionId: string;
  verbs: Verb[];
  token: string;
}

/** What waited for a good moment, all at once, the most valuable first; each card is answered by itself. `more` is how many wait beyond these. `away` is what happened while the person was away, where they are just back; `day` is what the day brings, once a day; without cards it is these alone. With `alike` the cards are open requests of an agent of one kind, what they have in common; one with the `digestId` of another takes its place. */
export interface DigestReady {
  type: "digest.ready";
  digestId: string;
  alike: string;
  cards: Prediction[];
  more: number;
  away: AwaySummary | null;
  day: DaySummary | null;
}

/** What a report did to one drive's pressure. */
export interface DriveDecay {
  before: number;
  after: number;
  decay_amount: number;
}

/** One drive from the moment of a sample on: a straight line that begins at `pressure`, up to the most. */
export interface DriveLineView {
  name: string;
  pressure: number;
  growsPerMin: number;
  weight: number;
}

/** All drives that pressed at a moment; a drive that is not named has no pressure. */
export interface DriveSampleView {
  at: string;
  drives: DriveLineView[];
}

/** Whether Pulse wakes now, by which rule, and that in one sentence; `until` is when it changes, if time helps. `saysWorded` is that sentence as a code, for readers of other languages, with moments as their clock has them. */
export interface DriveVerdictView {
  wakes: boolean;
  rule: "alert" | "model" | "single" | "total" | "asking" | "away" | "below" | "conversation" | "cooldown" | "full" | "model-no" | "off" | "paused" | "silent" | "turns";
  says: string;
  saysWorded: Phrasing | null;
  until: string | null;
}

/** One drive: its pressure at the moment of the answer, and what is open in it, the strongest first. `load` is the pressure times the weight: what it adds to the total while it `counts`, which it does when something in it may be brought up now. `growsPerMin` is by how much the pressure itself grows. `open` is how many matters are open, of which `wants` shows 20. */
export interface DriveView {
  name: string;
  weight: number;
  pressure: number;
  pressureMax: number;
  load: number;
  growsPerMin: number;
  counts: boolean;
  open: number;
  wants: WantView[];
  addressedAt: string | null;
}

/** The answer of `GET /api/v1/drives/history`, oldest first: where lines bend or jump, and the wakes on them. The first sample is the last one before `since`. `thinned` says that some were left out between those shown. */
export interface DrivesHistory {
  since: string;
  until: string;
  samples: DriveSampleView[];
  wakes: WakeView[];
  pressureMax: number;
  threshold: number;
  thinned: boolean;
}

/** What was taken: the drives that replaced those that were there, and the wakes and changes added. `changesLinkedAnew` of the changes did not go on the audit's chain here, and were added to it marked as imported. `notes` tell what was changed on the way, `problems` what could not be read and was left out. */
export interface DrivesImportAnswer {
  drives: number;
  replaced: boolean;
  wakes: number;
  changes: number;
  changesLinkedAnew: number;
  notes: string[];
  problems: string[];
}

/** Body of `POST /api/v1/drives/import`: the text of each file by its name, 4 MiB and 1,000 lines at most in all. `threshold` is the one that the public implementation's pressures were measured by, where it was changed there. With `onlyHistory` what presses stays as it is: a state then only says whose files these are. */
export interface DrivesImportRequest {
  files: Record<string, string>;
  threshold?: number | null;
  onlyHistory?: boolean;
}

/** The drives in the status: the heaviest, its load, the sum against the threshold, and why it wakes or does not. Rounded to a tenth, so that it changes when there is something to see. */
export interface DrivesStatus {
  top: string;
  load: number;
  total: number;
  threshold: number;
  rule: "alert" | "model" | "single" | "total" | "asking" | "away" | "below" | "conversation" | "cooldown" | "full" | "model-no" | "off" | "paused" | "silent" | "turns";
  says: string;
}

/** The answer of `GET /api/v1/drives`, the heaviest drive first. `total` is the sum of the loads that count, and is to reach `threshold`; or one alone `singleThreshold`. `nextAt` is when the drives are looked at next, if time alone brings that. `idle` was seen and presses nothing. */
export interface DrivesView {
  enabled: boolean;
  at: string;
  drives: DriveView[];
  total: number;
  threshold: number;
  singleThreshold: number;
  verdict: DriveVerdictView;
  nextAt: string | null;
  lastWake: WakeView | null;
  idle: IdleView[];
}

/** One thing that would happen; a command may have several. */
export type Effect = "changes_permissions" | "changes_system" | "deletes" | "leaves_the_machine" | "messages" | "pays" | "reads" | "reads_secrets" | "runs_project_code" | "runs_unknown_code" | "touches_production" | "writes_in_workspace";

/** An execution ended without proof of what it was for; `kind` says how it ended. */
export interface ExecutionFailed {
  type: "execution.failed";
  predictionId: string;
  executionId: string;
  kind: "failed" | "interrupted" | "stopped" | "timeout";
  error: string;
  prediction: Prediction;
}

/** One line from a running agent. */
export interface ExecutionProgress {
  type: "execution.progress";
  predictionId: string;
  executionId: string;
  number: number;
  line: string;
}

/** An agent began; `autonomous` when no person approved this run itself. */
export interface ExecutionStarted {
  type: "execution.started";
  prediction: Prediction;
  executionId: string;
  autonomous: boolean;
}

/** Body of `POST /api/v1/training/exported`: the pairs up to this number are in a file by now. */
export interface ExportedRequest {
  through: number;
}

/** The answer of `POST /feedback`: each drive that was named; none where the same report had been taken before. */
export interface FeedbackAnswer {
  decayed: Record<string, DriveDecay>;
  repeated: boolean;
}

/** Body of `POST /feedback`, in the words of DRIVES 5: what an agent worked on, and what came of it. `failure` means `blocked`. The same key counts once; it may also come as the header `Idempotency-Key`. */
export interface FeedbackRequest {
  drives_addressed: string[];
  outcome: "blocked" | "failure" | "partial" | "success";
  summary?: string;
  idempotency_key?: string | null;
}

/** What becomes of a file by a commit; `was` is its path before, empty unless it moves. Sizes are bytes, null where the file does not exist; lines are null where nobody can count them, as in a picture. */
export interface FileToCommit {
  path: string;
  became: "added" | "changed" | "deleted" | "renamed";
  was: string;
  added: number | null;
  removed: number | null;
  size: number | null;
  sizeBefore: number | null;
}

/** A watched folder that is not in git: its files are watched, and there are no commits or branches to watch. */
export interface FolderView {
  path: string;
  name: string;
  waiting: number;
}

/** Body of `POST /api/v1/gateways`: a process that carries deliveries for all devices of one surface. */
export interface GatewayRequest {
  surface: string;
}

/** Body of `POST /api/v1/predictions/{id}/grant`: what would be let on with this option, this end and these paths. The fields are those of an answer's `permission`. */
export interface GrantChoice {
  option: string;
  until: string | null;
  paths: string[];
}

/** A kind of Pulse's own work that can be let run alone, and what it is called (`nameWorded` as a code). */
export interface GrantKind {
  kind: string;
  name: string;
  nameWorded: Phrasing | null;
}

/** The answer of `GET /api/v1/grants`, newest first: all that may run without asking. `grants` are what the person granted, `changed` those that an update narrowed or ended of late, and `alone` what else goes on, by settings and by agents' own modes as far as Pulse knows them. `kinds` are those of which the person has approved some work, so they can be let run alone. */
export interface GrantList {
  grants: GrantView[];
  count: number;
  changed: ChangedGrantView[];
  alone: AloneView[];
  kinds: GrantKind[];
}

/** What a yes with this choice would let an agent do: nothing is saved by asking. `label` says it, `note` how it fits the latest answers, `until` is when it ends, which may be at most `untilMax`. `proposed` are the files and folders that it may be held to parts of, counted from its folder: none where it is about no files. Where such a grant cannot be made `whyNot` says why, and the rest is about what was proposed. The texts come as codes as well. */
export interface GrantPreview {
  label: string;
  note: string;
  until: string;
  untilMax: string;
  proposed: string[];
  whyNot: string;
  labelWorded: Phrasing | null;
  noteWorded: Phrasing | null;
  whyNotWorded: Phrasing | null;
}

/** The answer of `GET /api/v1/grants/record`, newest first: what agents did without asking, and by whose word. */
export interface GrantRecord {
  lines: GrantRecordLine[];
  count: number;
}

/** One line of the record: a grant was made, used or ended, or (of no grant) Pulse was stopped or started. `by` is the device (`surface/device`) or agent, `text` what was let on. */
export interface GrantRecordLine {
  grantId: string;
  at: string;
  what: "ended" | "expired" | "made" | "started" | "stopped" | "used";
  by: string;
  text: string;
  textWorded: Phrasing | null;
}

/** One thing that may run without asking: work of Pulse's while the person is away, or what an agent does. The `kind` of what an agent may do is `permission`. `summary` is what may run (`summaryWorded` as a code, where there is one), `effect` until when and how often it has; `repository` is a folder with its full path. A whole kind has a `threshold`, the least confidence. `by` is the device on which it was said, `predictionId` the card by which it was asked for. */
export interface GrantView {
  id: string;
  summary: string;
  effect: string;
  kind: string;
  since: string;
  until: string;
  repository: string | null;
  runs: number;
  lastRunAt: string | null;
  by: string;
  predictionId: string;
  summaryWorded: Phrasing | null;
  threshold: number | null;
}

/** The answer of `GET /api/v1/health`. */
export interface HealthAnswer {
  status: "degraded" | "down" | "ok";
  version: string;
  parts: HealthPart[];
  crossPollStatus: CrossPollStatus;
  timestamp: string;
}

/** Health for whoever has no token: that Pulse is there, and whether it is well. */
export interface HealthBrief {
  status: "degraded" | "down" | "ok";
}

/** One part's health: `ok`, `degraded` or `down`, with what to do about it. */
export interface HealthPart {
  name: string;
  status: "degraded" | "down" | "ok" | "unknown";
  detail: string;
  since: string | null;
  fix: string;
}

/** That a card is open, but nobody was told of it: until a good moment, the next digest, or not at all. `dialog`: an agent's own dialog, before which the person sits, comes first for some seconds. */
export interface Held {
  until: "breakpoint" | "dialog" | "digest" | "never";
  since: string;
}

/** The first thing that a client hears: where the feed is. `feed` changes when the hub starts anew. */
export interface Hello {
  type: "hello";
  seq: number;
  feed: string;
  status: CrossPollStatus;
}

/** What the person physically did. There is no word for a machine: no adapter may answer by itself. */
export type HumanInput = "key" | "reaction" | "speech" | "tap";

/** Something that was seen and presses nothing, and why not. No agent here can do it, the person wants less of its kind, or answered it as it stands, or let it expire. */
export interface IdleView {
  says: string;
  why: "answered" | "less-wanted" | "no-agent";
}

/** The answer of `GET /api/v1/insight?days=30`; with `truncated` the oldest days count too little. */
export interface InsightAnswer {
  zone: string;
  days: Day[];
  channels: ChannelFigures[];
  calibration: Reliability[];
  caps: Cap[];
  chances: ChancesJudged;
  truncated: boolean;
}

/** Body of `POST /api/v1/grants`: let a kind of Pulse's own work run alone while the person is away. `folder` is the one repository that is meant, None for any. `threshold` is the least confidence, `forS` for how many seconds it holds. What runs is only what a person has let run before, by the same command and files. */
export interface KindRequest {
  kind: string;
  folder?: string | null;
  threshold?: number;
  forS?: number;
}

/** How long an answer is to hold, as the agent offers it; it is the agent that keeps to it. */
export type Lasts = "always" | "once" | "session";

/** Body of `POST /api/v1/pairing/waiting/{id}`: what the browser there showed of the connection's certificate. `certificate` is one of those that came with the code; with `warned` false the browser trusted it without a word. */
export interface LetInRequest {
  certificate?: string;
  warned?: boolean;
}

/** How likely a yes was thought to be: the chance, and between what and what it is in eight of ten cases. `yes` of the latest `answers` answers to the like were a yes, ten at most: true counts, to be told in words. */
export interface Likelihood {
  p: number;
  low: number;
  high: number;
  yes: number;
  answers: number;
}

/** How a paired device reaches the broker. The password is told this once and kept only as a hash. `signing` is the secret that it signs its answers with; empty where that is the password. */
export interface Login {
  url: string;
  username: string;
  password: string;
  clientId: string;
  user: string;
  surface: string;
  device: string;
  signing: string;
}

/** Something beside the cards changed and is to be read again; it carries none of it, and is not kept for later. */
export interface LookAgain {
  type: "look-again";
  what: "coding-agents" | "tasks" | "terminals";
}

/** Body of `POST /api/v1/messages`: a person said something to an agent; ends silence. */
export interface MessageBody {
  text?: string;
  channel?: string | null;
  at?: string | null;
}

/** The answer of `GET /api/v1/crosspoll/metrics` (CROSSPOLL 7.6); null where there is no data yet. */
export interface MetricsAnswer {
  period: string;
  totalPredictions: number;
  approved: number;
  rejected: number;
  expired: number;
  autoExecuted: number;
  autoExecutedUndone: number;
  approvalRate: number | null;
  autoSuccessRate: number | null;
  avgConfidence: number | null;
  avgApprovedConfidence: number | null;
  avgRejectedConfidence: number | null;
  calibration: CalibrationBucket[];
  trendDirection: "declining" | "improving" | "steady" | "unknown";
  lastDpoTraining: string | null;
}

/** One coding agent that Pulse knows and did not find: the `program` that it starts with, and what connects it. `get` is what installs it: a command, or the address of its download. */
export interface MissingAgentView {
  agent: string;
  title: string;
  program: string;
  command: string;
  get: string;
}

/** Body of `POST /api/v1/training/models`: a model has been trained; with `use` it is asked from now on. */
export interface ModelRequest {
  name: string;
  by: "local" | "together";
  pairs: number;
  use?: boolean;
}

/** A model that has learnt from training pairs: its name at the service, or its folder. */
export interface ModelView {
  name: string;
  by: "local" | "together";
  at: string;
  pairs: number;
}

/** Why a suggestion moved. Different words for different things: none stands for two. */
export type MoveReason = "approved" | "auto-approved" | "blocked" | "changed" | "expired" | "interrupted" | "not-verified" | "overruled" | "passed" | "rejected" | "retried" | "snooze-over" | "snooze-undone" | "snoozed" | "stopped" | "undone" | "verified" | "withdrawn";

/** One change, in the words of DRIVES 4: `{"type": "adjust_weight", "drive": "curiosity", "value": 1.5}`. `value` may be left out where the kind takes none; `reason` is why, for whoever reads the audit. */
export interface MutationBody {
  type: "add_drive" | "adjust_cooldown" | "adjust_rate" | "adjust_threshold" | "adjust_turns_per_hour" | "adjust_weight" | "decay_drive" | "remove_drive" | "spike_drive";
  drive?: string;
  value?: number | null;
  reason?: string;
}

/** One change as it stands in the audit: who asked for what and why, what it was before, and what it is since. `status` is whether it holds, waits for the person's yes (`predictionId` where it was just asked), or was refused (`code`, with what to do in `fix`; `note` says why). `askedValue` is what was asked for, where limits changed it. `undoes` is the id of the change that it takes back. `hash` is of this record and of `previous`. */
export interface MutationView {
  id: string;
  at: string;
  by: string;
  type: "add_drive" | "adjust_cooldown" | "adjust_rate" | "adjust_threshold" | "adjust_turns_per_hour" | "adjust_weight" | "decay_drive" | "remove_drive" | "spike_drive";
  status: "applied" | "asked" | "refused";
  drive: string;
  value: number | null;
  reason: string;
  before: number | null;
  after: number | null;
  askedValue: number | null;
  note: string;
  undoes: string;
  predictionId: string | null;
  code: string;
  fix: string;
  previous: string;
  hash: string;
}

/** What became of changes, in their order; the last may stand for all that there was no room for. */
export interface MutationsAnswer {
  mutations: MutationView[];
  repeated: boolean;
}

/** Body of `POST /api/v1/drives/mutations`; the same key counts once, also as the header `Idempotency-Key`. */
export interface MutationsRequest {
  mutations: MutationBody[];
  idempotencyKey?: string | null;
}

/** The answer of `GET /api/v1/mutes`: what the person said, newest first, then what Pulse learnt by itself. */
export interface MuteList {
  mutes: MuteView[];
  count: number;
}

/** Body of `POST /api/v1/mutes`: want less or none of something, or always be asked about it. One of the three is needed, or a card, which then means its kind. */
export interface MuteRequest {
  degree: "ask" | "less" | "never";
  predictionId?: string | null;
  kind?: string | null;
  repository?: string | null;
  channel?: string | null;
}

/** One wish: what is meant (all that are given must fit a suggestion), how strongly, and what it does. `repository` is a folder with its full path. `summary` is the wish in words, `effect` what follows from it. `example` is the text of the suggestion it came from. `learnt` says that nobody said it: it follows from suggestions of this kind that were dismissed in a row. Of such a one `times` counts those. `summaryWorded` and `effectWorded` are both as codes, where they have one. */
export interface MuteView {
  id: string;
  degree: "ask" | "less" | "never";
  summary: string;
  effect: string;
  since: string;
  times: number;
  kind: string | null;
  repository: string | null;
  channel: string | null;
  example: string;
  learnt: boolean;
  predictionId: string | null;
  effectWorded: Phrasing | null;
  summaryWorded: Phrasing | null;
}

/** Whose words and choice a suggestion's work is. Only the first two may ever run without a person. */
export type Origin = "model" | "model-choice" | "person" | "pulse" | "world";

/** The answer of `GET /api/v1/outside/proof`: the same nonce gives the same proof at this hub, and at no other. */
export interface OutsideProof {
  proof: string;
}

/** Body of `POST /api/v1/outside`: at which https address others reach this Pulse from now on; empty for none. With `own_certificate` Pulse itself listens there; else a proxy or tunnel of the person's leads here. */
export interface OutsideRequest {
  publicUrl?: string;
  ownCertificate?: boolean;
}

/** How others reach this Pulse. The figures count what came to its own door since it was opened. `fingerprint` is the SHA-256 of the certificate that a phone is given. `refused` are those that would not go on with it, `opened` those that did. `wifi` is where Pulse could be opened to phones in this machine's network, as long as others do not reach it; `tailscale` says that Tailscale is installed. */
export interface OutsideView {
  publicUrl: string;
  ownCertificate: boolean;
  fingerprint: string;
  trouble: string;
  pages: number;
  certificates: number;
  refused: number;
  opened: number;
  wifi: string;
  tailscale: boolean;
}

/** Body of `POST /api/v1/permissions/over`: what an agent asked was answered elsewhere, or no longer matters. It is about every open question of this agent and session that the sender asked; with `call` only about that one tool call, with `subagent` only about that subagent's (empty: the agent's own). `how` says what became of them: the person answered in the agent's own dialog, the agent's own reviewer said no (`denied`), its turn ended, or the turn was ended by a limit of its account (`limit`) or an error of its model's service (`failed`). With `predictionId` that one question is meant, though it was answered: the agent took the other answer, which was given at its own dialog, or it was over (`gone`) before it said what came of a yes. Only who speaks for an agent with a token of its own may say so. */
export interface OverRequest {
  agent: string;
  session: string;
  call?: string;
  subagent?: string | null;
  how?: "allowed" | "denied" | "ended" | "failed" | "gone" | "limit" | "refused";
  predictionId?: string;
}

/** A setting that was changed on the page: the field of `ConfigPatch`, the setting in the file, both values. */
export interface OverrideView {
  name: string;
  setting: string;
  value: string;
  fileValue: string;
}

/** An app's way in. The token is told this once and kept only as a hash. */
export interface PairAnswer {
  token: string;
  user: string;
  surface: string;
  device: string;
  title: string;
  scopes: string[];
  version: string;
}

/** Body of `POST /api/v1/pair`: a code from pairing, used by an app, and what its device is to be called. */
export interface PairRequest {
  code: string;
  title?: string;
}

/** The code, the address to open, and that address as the rows of a QR code (`1` is dark). An address that only this machine knows has none: no phone could do anything with it. `certificates` are beginnings of SHA-256 fingerprints, of which one is Pulse's own: where there are some, the browser that uses the code waits until the person has said which of them it shows. Empty where the code alone lets a device in. */
export interface PairingAnswer {
  code: string;
  url: string;
  expiresAt: string;
  qr: string[];
  certificates: string[];
}

/** Body of `POST /api/v1/pairing`: a one-time code for one more browser, phone or watch; it lasts ten minutes. With the purpose `confirm` it lets nobody in, but confirms what a page that is signed in asks again; with `terminal` it is the word that lets in the `terminal` that asks, and only a page or an app that is signed in is shown it. `here` is for a browser on this machine: it needs no address with a certificate of ours. */
export interface PairingRequest {
  profile?: string;
  purpose?: "confirm" | "sign-in" | "terminal";
  title?: string | null;
  scopes?: ("admin" | "answer" | "ask" | "deliver" | "read")[];
  here?: boolean;
  terminal?: string | null;
}

/** The answer of `GET /api/v1/passkeys`. */
export interface PasskeyList {
  passkeys: PasskeyView[];
  count: number;
}

/** What the browser is to ask the authenticator for: WebAuthn's options as JSON text. */
export interface PasskeyOptions {
  options: string;
}

/** Body of `POST /api/v1/passkeys/options`: what a passkey is wanted for. */
export interface PasskeyOptionsRequest {
  purpose: "add" | "confirm";
}

/** Body of `POST /api/v1/passkeys`: what the authenticator made, as JSON text, and what it is to be called. */
export interface PasskeyRequest {
  credential: string;
  title?: string;
}

/** One passkey; it works at addresses of this `host`. */
export interface PasskeyView {
  id: string;
  title: string;
  host: string;
  createdAt: string;
}

/** Body of `POST /api/v1/crosspoll/pause`; may be left out. */
export interface PauseRequest {
  reason?: string;
}

/** Pulse stopped acting by itself. */
export interface Paused {
  type: "crosspoll.paused";
  reason: string;
}

/** An agent's request for permission as a person sees it: exactly what would be done, made safe to display. `agent` is who asks, `session` its own name for its conversation. `target` is the file, folder or address that is meant (of a command, what it deletes, where that is all it does), `text` the exact command, diff, plan or tool input, `leftOut` how many characters of it the agent did not send. `reason` is why the agent wants it, in its own words. `editable`: it will run the text as the person changes it. `effects` is what it would do as far as Pulse can read it, `marks` where that stands in the text, and `unusual` what is new about it here, as sentences; `unusualWorded` are the same ones as codes. `call` is the agent's own name for this one call of a tool. `settings` are fields of the call that change how it runs (`timeout`, `run_in_background`, a sandbox that is left), `unknownFields` those that Pulse does not know, `otherFiles` the files that are changed beside the target. Only what was the same in all three may be let go on without asking: no grant covers a call with unknown fields, one for other settings does not cover it, and each of the other files must be covered as the target is. `subagent` is the agent's own name for one that it started in this session and that asks here, empty where it asks itself; `subagentType` is what kind it calls that. `dialogOnly` is that what was left out could do harm, so no yes is taken here: only the agent's own dialog takes one, which shows all. An agent that Pulse runs has none. `asksEarly` is that it asked before it said with what. */
export interface Permission {
  agent: string;
  tool: string;
  act: Act;
  text: string;
  target: string;
  folder: string;
  reason: string;
  session: string;
  subagent: string;
  subagentType: string;
  call: string;
  leftOut: number;
  settings: CallField[];
  unknownFields: CallField[];
  otherFiles: string[];
  options: PermissionOption[];
  questions: AgentQuestion[];
  editable: boolean;
  effects: Effect[];
  marks: PermissionMark[];
  unusual: string[];
  unusualWorded: Phrasing[];
  dialogOnly: boolean;
  asksEarly: boolean;
}

/** What a person answers beyond yes or no. `option` is the id of the option that they took, empty for a plain yes or no. `answers` are by a question's id the labels that they took, or their own words as the only one. `text` is what the agent is to do instead of what it asked for; the hub fills it in where the person changed the text. With one of the hub's own options, `until` is when it ends, and `paths` the files and folders, counted from its folder, that it is held to; without them all of it, for as long as was proposed. */
export interface PermissionAnswer {
  option: string;
  text: string;
  answers: Record<string, string[]>;
  until: string | null;
  paths: string[];
}

/** Questions of one client, those that changed last first; `count` are all that fit, not only those of this page. `next` goes on from here as `after`, empty at the end. */
export interface PermissionList {
  permissions: PermissionReply[];
  count: number;
  next: string;
}

/** A part of the text that is dangerous: its characters from `start` up to `end`, and what it would do. */
export interface PermissionMark {
  start: number;
  end: number;
  effect: Effect;
}

/** One way to answer beside a plain yes or no; with `refuses` it is a way to say no. `note` is what to know of it. An id that begins with `pulse-` is the hub's own option: it lets this run without asking, by the person's word. Only such a one has `labelWorded` and `noteWorded`: both texts as codes. */
export interface PermissionOption {
  id: string;
  label: string;
  lasts: Lasts;
  refuses: boolean;
  note: string;
  labelWorded: Phrasing | null;
  noteWorded: Phrasing | null;
}

/** How an agent's question stands. `answered` false with the status `pending` means that nobody has answered yet; with another one nobody will. `answer` is there once somebody has. Where it is a no, `prediction.settled.reason` says why, in the person's words. `since` is since when it stands so: asked, answered, taken back, or its time over. */
export interface PermissionReply {
  prediction: Prediction;
  answered: boolean;
  approved: boolean;
  answer: PermissionAnswer | null;
  since: string | null;
}

/** Body of `POST /api/v1/permissions`: an agent asks leave for one thing; the fields are those of `Permission`. With `waitS` the answer comes with the reply to this request. With `withdrawWhenGone` the question is taken back as soon as nobody waits for its answer any more: the connection of this request, or of one that waits later, has ended. */
export interface PermissionRequest {
  agent: string;
  tool: string;
  act: Act;
  text?: string;
  target?: string;
  folder?: string;
  reason?: string;
  session?: string;
  subagent?: string;
  subagentType?: string;
  call?: string;
  leftOut?: number;
  asksEarly?: boolean;
  settings?: CallField[];
  unknownFields?: CallField[];
  otherFiles?: string[];
  options?: PermissionOption[];
  questions?: AgentQuestion[];
  editable?: boolean;
  timeoutS?: number;
  waitS?: number;
  withdrawWhenGone?: boolean;
  idempotencyKey?: string | null;
}

/** How many questions were taken back. */
export interface PermissionsOver {
  count: number;
}

/** Beside a sentence in English: the name of a phrase, and what is put into it. `values` go into the slots of their names, `numbers` with one decimal, `parts` as phrases within the phrase, `listed` as an enumeration into `{listed}`, `day` into `{day}`, `moment` as its reader's clock has it into `{time}`, and `about`, a phrase, too, into `{about}`. Whoever does not know the code shows the English sentence. */
export interface Phrasing {
  code: string;
  values: Record<string, string>;
  listed: string[];
  day: string | null;
  about: Phrasing | null;
  numbers: Record<string, number>;
  parts: Record<string, Phrasing>;
  moment: string | null;
}

/** What would be started if the person says yes: part of what the card's hash stands for. `summary` is the command in one line with its folder's name, `command` that beginning of it that runs; `script` what that command stands for in its file. `environment` are names only; `containment` says what will hold the program; `then` is what Pulse runs afterwards to prove it done, in `summary` as well. `unclear` says why `definedBy` may not be every file that decides what runs, so that it never runs without a person. `commit` is what would be committed, null where something else runs. With `problem`, it could not be told, and the rest is empty. Texts come as codes, too. */
export interface PlannedRun {
  summary: string;
  argv: string[];
  folder: string;
  prompt: "argument" | "input" | "none";
  environment: string[];
  definedBy: DefinedBy[];
  script: string;
  containment: string;
  problem: string;
  then: PlannedRun | null;
  unclear: string;
  commit: CommitPlan | null;
  command: string;
  summaryWorded: Phrasing | null;
  containmentWorded: Phrasing | null;
  problemWorded: Phrasing | null;
  unclearWorded: Phrasing | null;
}

/** The answer of `GET /api/v1/twin/predict`. */
export interface PredictAnswer {
  predictions: Prediction[];
  count: number;
  timestamp: string;
  crossPollStatus: CrossPollStatus;
}

/** One suggestion, as every surface sees it. `runs` is null where Pulse itself runs nothing. `prompt` is what a yes runs, or ran; where a person had other words run than were asked for, `asked` is what was asked for, and empty on all other cards. `statusReason` is why it is where it is, null before its first move; `returnedAt` when it last came back: after a snooze, an undo, a run that could not go on. `round` counts how often it came back after an answer; an answer that names it is not taken in a later one. `origin` is whose words would run, `quotes` where those of others in them came from. Only what is Pulse's own and quotes nobody ever runs without a person. `editable` is whether other words would change what is done: not where a fixed command runs, nor in somebody else's question. `editText` is what an edit begins with where that is not the prompt: the message of a commit, which is then all that the edit changes. `repository` and `branch` are where it belongs, empty where it belongs nowhere; `details` is what to look at before a yes: a diff, the tests that failed. `confidenceLearnt` is false where `confidence` is only the fixed figure of the beginning, which says nothing and is not to be shown. `likelihood` is what earlier answers say, null while they say nothing. `inPerson` is that only a yes from the page or from `pulse approve` counts: devices are not offered one. `result` is what came of its last run, null before one has ended; `endedAt` is when that was. `mendedAt` is when what had failed was seen to end well since, by whose hand it may be: then it is no failure any more, and asks for nothing. `offers` are the verbs of a card that ended badly, was not ignored and works no better by now: `retry`, `ignore`, and `fix` where an agent of the person's is connected, named by `fixer`. `held` is that it waits for a good moment: it is listed and can be answered, but nobody was told of it yet. `permission` is what an agent asks leave for, null on any other card. `alike` is the same on open requests of one agent that can be looked at together, empty on all others; `alwaysAsked` is why none like this can be let run without asking, as a sentence, and `alwaysAskedWorded` the same as a code. `promptWorded` and `reasoningWorded` say both as codes, where the sentences are Pulse's: for reading only, since what runs is the prompt to the letter. */
export interface Prediction {
  id: string;
  prompt: string;
  targetAgent: string;
  targetChannel: string;
  confidence: number;
  reasoning: string;
  createdAt: string;
  status: Status;
  source: Source;
  expiresAt: string;
  risk: Risk;
  cardHash: string;
  costEstimateUsd: number;
  statusReason: MoveReason | null;
  badges: Badge[];
  returnedAt: string | null;
  snoozedUntil: string | null;
  snoozesLeft: number;
  settled: Settlement | null;
  executionId: string | null;
  runState: RunState | null;
  outcome: string;
  attempts: number;
  round: number;
  runs: PlannedRun | null;
  origin: Origin;
  quotes: TextSource[];
  editable: boolean;
  repository: string;
  branch: string;
  details: string;
  confidenceLearnt: boolean;
  likelihood: Likelihood | null;
  inPerson: boolean;
  result: WorkResult | null;
  mendedAt: string | null;
  endedAt: string | null;
  offers: Verb[];
  fixer: string;
  held: Held | null;
  permission: Permission | null;
  alike: string;
  alwaysAsked: string;
  alwaysAskedWorded: Phrasing | null;
  outcomeWorded: Phrasing | null;
  asked: string;
  editText: string;
  promptWorded: Phrasing | null;
  reasoningWorded: Phrasing | null;
}

/** A suggestion was carried out: proven done, or only handed over where `prediction.result.handedOver` says so. `taskId` is the finished task that is kept of it, empty where nothing was proven. */
export interface PredictionExecuted {
  type: "prediction.executed";
  predictionId: string;
  taskId: string;
  result: string;
  prediction: Prediction;
}

/** Nobody answered in time; or, with the reason `passed`, what it was about is over. */
export interface PredictionExpired {
  type: "prediction.expired";
  predictionId: string;
  reason: MoveReason;
}

/** The answer of `GET /api/v1/predictions`, newest first; `nextBefore` asks for the page after this one. */
export interface PredictionList {
  predictions: Prediction[];
  count: number;
  nextBefore: string | null;
}

/** A card appeared; `alike` is how many open requests of an agent like it were told before. */
export interface PredictionNew {
  type: "prediction.new";
  prediction: Prediction;
  alike: number;
}

/** A card is open again: a snooze ended, an answer was undone, or its execution was interrupted. */
export interface PredictionReturned {
  type: "prediction.returned";
  prediction: Prediction;
  reason: string;
}

/** A card was answered or withdrawn; shown in place wherever the card is. */
export interface PredictionSettled {
  type: "prediction.settled";
  prediction: Prediction;
}

/** A card is hidden, everywhere, until its time. */
export interface PredictionSnoozed {
  type: "prediction.snoozed";
  prediction: Prediction;
}

/** Whether a device is there, as retained state; the broker publishes `online: false` as its last will. A device that is connected but worn by nobody counts as absent (`online: false`, `worn: false`). `worn` and `battery_percent` are None where it cannot tell. */
export interface Presence {
  online: boolean;
  at: string | null;
  personActiveAt: string | null;
  worn: boolean | null;
  batteryPercent: number | null;
}

/** An RFC 9457 problem document. `code` is stable; docs/errors.md explains each. `look` says, sent with the same answer again, that the person has looked at `prediction` meanwhile: the card, with the words that the answer brings. */
export interface Problem {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  fix: string;
  instance: string;
  settled: Settlement | null;
  prediction: Prediction | null;
  errors: string[];
  look: string;
}

/** Base of all addresses; the tag names the push service's protocol. */
export interface PushAddress {
  kind: "PushAddress";
}

/** One of the answers that an agent offers to a question. `labelWorded` is a label of the hub's own as a code. */
export interface QuestionChoice {
  label: string;
  description: string;
  labelWorded: Phrasing | null;
}

/** Which of the person's devices are reached now, from what became of the last messages to them. `line` says it in one line, empty where nothing is to be said; `worded` is that as a code. `nobody`: nothing that is sent is seen anywhere. `unreached` names the devices, those that fail before those that are only absent. */
export interface ReachStatus {
  line: string;
  nobody: boolean;
  unreached: Unreached[];
  worded: Phrasing | null;
}

/** A device says honestly what became of a delivery. `gone` is the fingerprint of an address that its push service has ended; the hub then forgets just that one. `trouble` says in plain words, without a full stop, why what is sent there does not reach the person now, and `fix` what they can do about it; both are shown as the device's own words. With `queued` the surface is still trying: the delivery stays with it. */
export interface Receipt {
  deliveryId: string;
  state: DeliveryState;
  at: string;
  detail: string;
  trouble: string;
  fix: string;
  gone: string;
}

/** Body of `POST /api/v1/receipts`: this device says what became of a delivery. */
export interface ReceiptRequest {
  deliveryId: string;
  state: DeliveryState;
  at?: string | null;
  detail?: string;
}

/** Suggestions of one range of confidence; how sure the answered ones were on average, how many were approved. */
export interface Reliability {
  low: number;
  high: number;
  suggestions: number;
  answered: number;
  meanConfidence: number | null;
  approvalRate: number | null;
}

/** All decisions of a suggestion, made again: `same` says whether all that could be came out as they were. */
export interface ReplayAnswer {
  id: string;
  same: boolean;
  decisions: DecisionView[];
}

/** The answer of `GET /api/v1/repositories`; `problems` says of each that could not be read why. `folders` are watched without git; `count` does not count them. */
export interface RepositoryList {
  repositories: RepositoryView[];
  count: number;
  problems: string[];
  folders: FolderView[];
}

/** One repository: what changed in it, how its tests ended last, and how much waits in it for an answer. `path` is its folder. `changed_files` are not committed, `unpushed` commits not pushed: null where there is nowhere to push to. `changed_modules` have changed since the last test run that Pulse knows of; where it knows of none, `last_test_run_at` is null. `waiting` is the number of open cards about it. */
export interface RepositoryView {
  path: string;
  name: string;
  branch: string | null;
  changedFiles: number;
  changedModules: number;
  unpushed: number | null;
  lastCommitAt: string | null;
  lastTestRunAt: string | null;
  lastTestRunPassed: boolean | null;
  ci: "failed" | "passed" | "running" | "unknown";
  waiting: number;
}

/** Body of `POST /api/v1/predictions/{id}/respond`: what a failed task needed to know; it is run again with that. `attempt` names the failed run that is meant, as for a retry; `look` is as in other answers. */
export interface RespondRequest {
  text: string;
  attempt?: number | null;
  humanInput?: HumanInput;
  surface?: string;
  device?: string;
  idempotencyKey?: string | null;
  look?: string | null;
}

/** Pulse can start work on its own again. */
export interface Resumed {
  type: "crosspoll.resumed";
}

/** Some of what was missed is no longer kept: read the cards anew over HTTP, then go on from `seq`. */
export interface Resync {
  type: "resync";
  reason: string;
  seq: number;
  feed: string;
}

/** How much an unwanted execution could hurt; decides which answers suffice. */
export type Risk = "high" | "low" | "medium";

/** The answer of `GET /api/v1/predictions/{id}/runs`. */
export interface RunList {
  runs: RunView[];
  count: number;
}

/** The life of one execution (WORLD's agent statuses, with queued before and interrupted, stopped beside). */
export type RunState = "active" | "failed" | "finished" | "interrupted" | "queued" | "stopped" | "verified";

/** One attempt at a suggestion, with what it put out. `result` says it for a person, null for a run that has not ended; `proofWorded` is `proof` as a code. `diff` are the changes to files as git tells them, `diffCut` that there are more. */
export interface RunView {
  executionId: string;
  attempt: number;
  state: RunState;
  agent: string;
  autonomous: boolean;
  queuedAt: string;
  startedAt: string | null;
  endedAt: string | null;
  costUsd: number;
  proof: string;
  output: string;
  exitCode: number | null;
  result: WorkResult | null;
  diff: string;
  diffCut: boolean;
  proofWorded: Phrasing | null;
}

/** Who is signed in here. `token` is told once, when a browser signs in; it is good only with proofs of its key. `command` is how Pulse's command was called on the computer that runs it. */
export interface SessionAnswer {
  user: string;
  surface: string;
  device: string;
  title: string;
  scopes: string[];
  vapidKey: string;
  version: string;
  token: string;
  command: string;
}

/** Body of `POST /api/v1/session`: a code from pairing, and what this browser is to be called. */
export interface SessionRequest {
  code: string;
  title?: string;
}

/** Who settled a card, where, when and how; `permission` is what else they answered to an agent. */
export interface Settlement {
  verb: Verb;
  by: string;
  surface: string;
  device: string;
  humanInput: HumanInput;
  at: string;
  reason: string;
  permission: PermissionAnswer | null;
}

/** The answer of `GET /api/v1/predictions/{id}/similar`: how suggestions like this one were answered. */
export interface SimilarAnswer {
  predictions: Prediction[];
  approved: number;
  rejected: number;
}

/** Who had the idea (`pulse-store` is read as template). */
export type Source = "ask" | "predictor-hook" | "template" | "twin-model";

/** Where a suggestion is in its life (`approved` is read as confirmed); its moves: `hub/domain/card_states.py`. */
export type Status = "cancelled" | "confirmed" | "executed" | "expired" | "failed" | "pending" | "rejected";

/** The autonomous state or a budget changed. */
export interface StatusChanged {
  type: "crosspoll.status";
  status: CrossPollStatus;
}

/** One step of an episode: what happened, when, in words, and the recorded value itself. `text_worded` is the sentence as a code, null where it has none. `lines_worded` are the codes of the lines, each null where its line has none; it is as long as `lines`, or empty. */
export interface StepView {
  at: string;
  kind: string;
  text: string;
  verdicts: VerdictView[];
  lines: string[];
  textWorded: Phrasing | null;
  linesWorded: (Phrasing | null)[];
}

/** Begin to receive events. `since` and `feed` (from an earlier hello) ask for what was missed meanwhile. */
export interface Subscribe {
  type: "subscribe";
  channels?: "crosspoll"[];
  since?: number | null;
  feed?: string | null;
}

/** Events follow: first those that were missed, `replayed` in number, then each as it happens. */
export interface Subscribed {
  type: "subscribed";
  seq: number;
  feed: string;
  replayed: number;
}

/** The idea was taken, or had been; whether and when the person sees it is decided later. */
export interface SuggestionAnswer {
  id: string;
  repeated: boolean;
}

/** Body of `POST /api/v1/suggestions`: what the person might want done, as one could tell an agent to do it. */
export interface SuggestionRequest {
  idea: string;
  why?: string;
  asker?: string;
  idempotencyKey?: string | null;
}

/** Answer of `POST /api/v1/surfaces/{surface}/renew`: whether it runs beside the hub, as it is set up now. */
export interface SurfaceRenewed {
  surface: string;
  runs: boolean;
}

/** The answer of `GET /api/v1/sync`: all that a device shows, as of place `seq` in the live feed `feed`. `open` are the cards to answer, newest first; `recent` the settled ones; `day` is what this day brings, once that was told, `zone` the person's time zone. */
export interface SyncAnswer {
  status: CrossPollStatus;
  open: Prediction[];
  recent: Prediction[];
  agents: AgentView[];
  tasks: TaskView[];
  seq: number;
  feed: string;
  timestamp: string;
  day: DaySummary | null;
  zone: string;
}

/** Body of task creation and update; a missing field keeps its value on update. */
export interface TaskBody {
  title?: string | null;
  status?: "cancelled" | "completed" | "failed" | "queued" | "running" | null;
  channel?: string | null;
  deadline?: string | null;
  notes?: string | null;
}

/** The answer of `GET /api/v1/tasks`, newest first. */
export interface TaskList {
  tasks: TaskView[];
  count: number;
}

/** One task of the task store; `doubt` comes with a new one alone, whose moment was read from its title. */
export interface TaskView {
  id: string;
  title: string;
  status: "cancelled" | "completed" | "failed" | "queued" | "running";
  channel: string | null;
  deadline: string | null;
  notes: string;
  createdAt: string;
  updatedAt: string;
  stale: boolean;
  predictionId: string | null;
  doubt: "" | "hour" | "night" | "past" | "weekday";
  titleWorded: Phrasing | null;
}

/** The terminal that was let in; none if the command was typed at no terminal. `links_ended`: this connected the first agent, which ended every link that the hub had shown where agents can read it, and no page or phone is signed in. `trouble`: why the terminal that connected the first agent is not let in, and `fix` what to do about it. */
export interface TerminalAnswer {
  terminal: TerminalView | null;
  linksEnded: boolean;
  trouble: string;
  fix: string;
}

/** The answer of `GET /api/v1/terminals`. `needed`: agents are connected, so only these count as the person's. `links_end`: connecting the first agent ends every link that the hub has shown where agents can read it, and no page or phone is signed in. */
export interface TerminalList {
  terminals: TerminalView[];
  count: number;
  needed: boolean;
  linksEnd: boolean;
  asking: AskingTerminal[];
}

/** Body of `POST /api/v1/terminals`: let the terminal in at which this was typed. `word` is one that a page or a phone has shown, or the terminal of `pulse up`. `agent` is the one that is being connected: the first needs no word. `wait_s` says that it is connected everywhere, not for one project alone, and how long it waits for a person, `closed` that it is refused while Pulse is away. With `removes` it is being disconnected, or all are without it, which lets nothing in and takes a terminal that counts. `other` is another terminal that asks, let in from one that counts already. */
export interface TerminalRequest {
  word?: string;
  agent?: string | null;
  waitS?: number | null;
  closed?: boolean;
  removes?: boolean;
  other?: string;
}

/** One terminal that was let in: its shell, how, and when; `this` is the one that asks. */
export interface TerminalView {
  id: string;
  title: string;
  how: string;
  letInAt: string;
  this: boolean;
  howWorded: Phrasing | null;
}

/** The answer of `POST /api/v1/terminals/word`: where a word for this terminal is shown now, and never the word. `title` is what the terminal is called where the word is shown. `by_page`: a page or a phone is signed in that can show it. `by_terminal`: a terminal counts already, at which this one can be let in by its `id`. */
export interface TerminalWord {
  title: string;
  shownByHub: boolean;
  trouble: string;
  id: string;
  byPage: boolean;
  byTerminal: boolean;
}

/** Where words of others came from that a suggestion quotes; `unknown` where it was made before that was kept. */
export type TextSource = "agent" | "calendar" | "ci" | "conversation" | "model" | "notes" | "repository" | "task" | "unknown" | "world-log";

/** A new token. It is shown this once and kept only as a hash. */
export interface TokenAnswer {
  token: string;
  client: TokenView;
}

/** The answer of `GET /api/v1/tokens`. */
export interface TokenList {
  tokens: TokenView[];
  count: number;
}

/** Body of `POST /api/v1/tokens`: a token of its own for one more client. The scope `deliver` is for the surfaces that `carries` names, and no others. */
export interface TokenRequest {
  name: string;
  scopes: ("admin" | "answer" | "ask" | "deliver" | "read")[];
  carries?: string[];
}

/** One API client, without its token. */
export interface TokenView {
  id: string;
  name: string;
  scopes: string[];
  createdAt: string;
  carries: string[];
}

/** The answer of `GET /api/v1/training`. `newPairs` were not exported yet, the oldest of them since `newSince`. `lastPair` is the number of the newest pair, 0 without one; `pairsNeeded` is how many an export must have. `exportEnabled` is CROSSPOLL's `dpoExportEnabled`. `due` says why a training is due (CROSSPOLL 7.5), empty while none is. `model` is the trained one that was chosen, empty while it is that of the settings. */
export interface TrainingView {
  pairs: number;
  newPairs: number;
  newSince: string | null;
  lastPair: number;
  pairsNeeded: number;
  exportEnabled: boolean;
  due: "" | "first" | "new-pairs" | "weekly";
  model: string;
  models: ModelView[];
  lastTraining: string | null;
}

/** What a trigger did; `triggered` false always comes with its reason in `message` (`messageWorded` as a code). A pending `prediction` then is the open one that says what a hint asked for already. */
export interface TriggerAnswer {
  triggered: boolean;
  prediction: Prediction | null;
  targetChannel: string | null;
  message: string;
  status: CrossPollStatus;
  messageWorded: Phrasing | null;
}

/** Body of `POST /api/v1/crosspoll/trigger`: start a cycle, or approve `predictionId`. */
export interface TriggerRequest {
  targetChannel?: string | null;
  hint?: string | null;
  force?: boolean;
  predictionId?: string | null;
}

/** What a client sent was not taken. */
export interface Trouble {
  type: "problem";
  problem: Problem;
}

/** One device on which nothing reaches the person now: why, what to do about it, and since when. `absent`: nothing is wrong there; it is closed, or has no notifications yet. `worded` and `fix_worded` are `why` and `fix` as codes. */
export interface Unreached {
  surface: string;
  device: string;
  title: string;
  why: string;
  fix: string;
  since: string | null;
  absent: boolean;
  worded: Phrasing | null;
  fixWorded: Phrasing | null;
}

/** Receive no more events; the connection stays. */
export interface Unsubscribe {
  type: "unsubscribe";
}

/** What a person can say to a card. */
export type Verb = "approve" | "edit" | "fix" | "ignore" | "less" | "never" | "reject" | "retry" | "snooze" | "stop" | "undo";

/** The hub's answer to a decision, handed to the device that sent it (as a delivery of its own kind). */
export interface Verdict {
  decisionId: string;
  accepted: boolean;
  code: string;
  message: string;
  prediction: Prediction | null;
}

/** One rail's verdict, with its numbers; `reasonWorded` is its reason as a code. */
export interface VerdictView {
  stage: string;
  outcome: "ask" | "block" | "pass";
  rule: string;
  reason: string;
  numbers: Record<string, number>;
  reasonWorded: Phrasing | null;
}

/** One voice behind an answer that several people gave together; those that did not count are kept all the same. */
export interface Voter {
  id: string;
  name: string;
  choice: Verb;
  weight: number;
  counted: boolean;
}

/** The answer of `POST /api/v1/session` with status 202: ask again with the same code and key until it is another. The computer shows the same `number` for this browser. */
export interface WaitingAnswer {
  number: string;
}

/** A browser that used a code and waits to be let in. Its page shows the same `number`; `host` is the address that it opened. */
export interface WaitingBrowser {
  id: string;
  title: string;
  number: string;
  host: string;
}

/** The answer of `GET /api/v1/pairing/waiting`. */
export interface WaitingList {
  waiting: WaitingBrowser[];
  count: number;
}

/** One wake: why, in a sentence too, where to (`inside`, or the agent's name), and what came of it. `predictionId` is the card that it led to. `ended` is empty while it is under way. `note` is what is said of how it ended, as a code, too, unless it is the agent's word. */
export interface WakeView {
  id: string;
  at: string;
  rule: "alert" | "model" | "single" | "total";
  drive: string;
  pressure: number;
  total: number;
  threshold: number;
  says: string;
  saysWorded: Phrasing | null;
  place: string;
  predictionId: string | null;
  ended: "" | "blocked" | "card" | "interrupted" | "nothing" | "partial" | "refused" | "sent" | "success" | "undelivered";
  endedAt: string | null;
  note: string;
  noteWorded: Phrasing | null;
}

/** Something that stands open: what it is in a line, how much it matters, since when, and when it was brought up. `id` is what a message that wakes an agent calls it; `saysWorded` is `says` as a code. */
export interface WantView {
  says: string;
  strength: number;
  since: string;
  broughtAt: string | null;
  id: string;
  saysWorded: Phrasing | null;
}

/** Whether a person can see this page, and when they last touched it (a time, never what they did). */
export interface Watching {
  type: "presence";
  visible: boolean;
  activeAt?: string | null;
}

/** A browser's push subscription (RFC 8030, RFC 8291) as `PushSubscription.toJSON()` gives it. `origin` is that of the page of ours that subscribed: a tap on a notification opens it. `lang` is the page's own. */
export interface WebPushAddress {
  kind: "web-push";
  endpoint: string;
  p256dh: string;
  auth: string;
  origin: string;
  expiresAt?: string | null;
  lang?: string;
}

/** Body of `POST /api/v1/drives/weights`: how much a drive is to count. */
export interface WeightRequest {
  name: string;
  weight: number;
}

/** The whole episode of a suggestion, from signal to result. */
export interface WhyAnswer {
  prediction: Prediction;
  status: CrossPollStatus;
  steps: StepView[];
}

/** What came of a card's last run, in words for a person. `summary` is its one line, for surfaces that have no room: "1,991 passed in 14 s", "3 errors; tests did not start". `summaryWorded` is the same as a code; a surface may make its own line of `ended`, `tests` and `durationS`, too. `handedOver`: an agent took it and ended without an error (`ended` is `done`), and nothing shows that it is done; it is neither. `provenBy` is the command that proved it done, empty where none did. `advice` is how to mend what kept it from running; both come as codes, too. `trouble` are the last lines that matter of a run that failed, `said` is the agent's last paragraph; both are words of programs (`quotes` says whose), as are the names in `files`, of which there may be more (`filesChanged`). `hasDiff`: `GET /predictions/{id}/runs` has the changes, line by line. `form` is how `said`, or else the run's output, is written; `note` the file that it was written to, `commit` the commit that was made: `undo` takes it back while it is not pushed and nothing lies on it. */
export interface WorkResult {
  executionId: string;
  ended: "done" | "failed" | "interrupted" | "not-started" | "stopped" | "timeout";
  summary: string;
  summaryWorded: Phrasing | null;
  tests: CountedTests | null;
  durationS: number | null;
  provenBy: string;
  provenByWorded: Phrasing | null;
  advice: string;
  adviceWorded: Phrasing | null;
  trouble: string[];
  said: string;
  form: "markdown" | "mermaid" | "text";
  note: string;
  files: ChangedFile[];
  filesChanged: number;
  hasDiff: boolean;
  handedOver: boolean;
  quotes: TextSource[];
  commit: string;
}

/** Body of `POST /api/v1/world/agents`: where a session is, as in `[agent:status][session] output | need: need`. */
export interface WorldAgentBody {
  status: AgentStatus;
  session: string;
  output?: string;
  need?: string;
  idempotencyKey?: string | null;
}

/** What was told of sessions and their processes without a question; `session` is empty for a process. */
export interface WorldAlertView {
  at: string;
  kind: "abandoned" | "given-up" | "odd-time" | "overdue" | "refused-status" | "stray-process";
  text: string;
  session: string;
}

/** The answer to a line that was taken: its session as it is now, if it is about one. */
export interface WorldAnswer {
  session: WorldSessionView | null;
  repeated: boolean;
  predictionId: string | null;
}

/** Body of `POST /api/v1/world/check`: what is new for a reader; `done` is the batch that it has read since. */
export interface WorldCheckBody {
  reader: string;
  done?: string;
  most?: number;
}

/** The answer of `GET /api/v1/world/day?day=2026-01-09&search=flight`: a day in the person's time zone. `lanes` are its sessions in the order in which they began, `events` the facts of no session. Counted are the lines of the day, those that are no entries (`unparsed`), those of sessions that never began (`unknown`), and those that nothing places in time (`undated`); `more` lanes and facts were left out. `cutAt`: what was before was not read. */
export interface WorldDayAnswer {
  day: string;
  zone: string;
  since: string;
  until: string;
  now: string;
  lanes: WorldLane[];
  events: WorldFact[];
  lines: number;
  unparsed: number;
  unknown: number;
  undated: number;
  more: number;
  cutAt: string | null;
}

/** Body of `POST /api/v1/world/events`: a fact, as in `[event:source][identifier] output`. */
export interface WorldEventBody {
  source: string;
  identifier: string;
  output?: string;
  idempotencyKey?: string | null;
}

/** An event; with `refused` a line that claimed a status that could not be. `about`: the time is not its own. `forged`: a line of the file in the name of Pulse, or of who began the session, that neither has said. `textWorded` is `text` as a code where it tells of an answer to a card. */
export interface WorldFact {
  at: string;
  source: string;
  identifier: string;
  text: string;
  refused: AgentStatus | null;
  about: boolean;
  forged: boolean;
  textWorded: Phrasing | null;
}

/** One session on that day, and as it was at the end of it; `more` of its events and spans were left out. `workedS`, `waitedS`, `checkedS` and `silentS` are how long it worked, waited for an answer, waited to be checked, and was silent while it worked, on that day. `left`: nothing is asked about how it ended, as in a session's view. `taskWorded` is the task as a code, where it is a card's and the hub's own. */
export interface WorldLane {
  session: string;
  task: string;
  need: string;
  status: AgentStatus;
  said: string;
  asks: string;
  tries: number;
  proven: boolean;
  workedS: number;
  waitedS: number;
  checkedS: number;
  silentS: number;
  agent: string;
  checkedBy: "" | "model" | "person" | "proof";
  spans: WorldSpan[];
  pauses: WorldPause[];
  events: WorldFact[];
  more: number;
  left: boolean;
  taskWorded: Phrasing | null;
}

/** One line of the log, oldest first in a list: `kind` says which of the fields are filled. `tag` is the source, status or reader, `name` what stands in the last brackets; `fault` is why a line is no entry. */
export interface WorldLineView {
  kind: "agent" | "event" | "read" | "remark" | "unparsed";
  at: string | null;
  tag: string;
  name: string;
  text: string;
  need: string;
  fault: string;
  sizeBytes: number;
}

/** Lines in order. `batch` is what to hand back once they were read (`check`); `hasMore`: ask again. */
export interface WorldLines {
  lines: WorldLineView[];
  hasMore: boolean;
  batch: string;
}

/** The answer of `GET /api/v1/world/path`: where the log lies on the machine of this Pulse. */
export interface WorldPath {
  path: string;
  enabled: boolean;
}

/** It waited for an answer, waited to be checked, or was silent while it worked; `isOpen` if that still lasts. */
export interface WorldPause {
  kind: "answer" | "check" | "silence";
  begin: string;
  end: string;
  isOpen: boolean;
}

/** Body of `POST /api/v1/world/sessions/{id}/respond`: a person's answer to a session that failed. */
export interface WorldRespondBody {
  text: string;
}

/** One session: what it is to do, what has to be found at the end, where it is, and what it said last. `saidWorded` is `said`, `taskWorded` is `task` as a code where it is Pulse's own sentence. `asks` is what it needs from a person while it is failed, `answer` what they said to that last. `proven`: every line that moved it is known to be its own or Pulse's. `checkedBy` is what found the last outcome. `predictionId` is the open card that asks about it. `refused` lines claimed what could not follow, or were not its own. `left`: nothing is asked about how it ended: a failure that the person left as it is, or of a card's run, which asks by itself; a `finish` that was only handed over, which nobody checks. */
export interface WorldSessionView {
  id: string;
  status: AgentStatus;
  task: string;
  need: string;
  said: string;
  asks: string;
  startedAt: string;
  movedAt: string;
  heardAt: string;
  tries: number;
  retries: number;
  proven: boolean;
  agent: string;
  folder: string;
  checkedBy: "" | "model" | "person" | "proof";
  refused: number;
  pid: number | null;
  predictionId: string | null;
  left: boolean;
  answer: string;
  saidWorded: Phrasing | null;
  taskWorded: Phrasing | null;
  needWorded: Phrasing | null;
}

/** The answer of `GET /api/v1/world/sessions`, those heard of last first; `more` were left out. */
export interface WorldSessionsAnswer {
  sessions: WorldSessionView[];
  more: number;
}

/** How a session was for a while; `status` is null where it had begun before and no more is known. `said` is what it said last meanwhile, `saidWorded` as a code where it is Pulse's own sentence. A session is `verified` in a moment: it begins and ends at once. */
export interface WorldSpan {
  status: AgentStatus | null;
  begin: string;
  end: string;
  said: string;
  saidWorded: Phrasing | null;
}

/** Body of `POST /api/v1/world/spawn`: have an agent of the person's do something, as a session. `folder` is where it works, an absolute path; without one it works in an empty folder of its own. */
export interface WorldSpawnBody {
  task: string;
  agent: string;
  need?: string;
  session?: string;
  channel?: string;
  folder?: string;
}

/** The sessions in the status: how many work, wait to be checked, need somebody; when one was last verified. */
export interface WorldStatus {
  active: number;
  pending: number;
  failed: number;
  verifiedAt: string | null;
  asks: string;
  alerts: WorldAlertView[];
}

/** Every event; on the WebSocket each carries its place in the feed. */
export type AnyEvent = PredictionNew | PredictionSettled | PredictionSnoozed | PredictionReturned | PredictionExpired | PredictionExecuted | ExecutionStarted | ExecutionProgress | ExecutionFailed | CostApproaching | StatusChanged | Paused | Resumed | DigestReady;
export type LiveEvent = AnyEvent & { seq: number };
export type AnyFromHub = Hello | LookAgain | Resync | Subscribed | Trouble;
export type AnyFromClient = Subscribe | Unsubscribe | Watching;
