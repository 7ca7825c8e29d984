import type { StageName } from '../../config.ts';
import type { FunctionName } from '../bundle.ts';

/**
 * The promise that an alarm guards, and what a ringing alarm means for partners. `promised` is the longest delay of an update
 * as text, such as `three minutes`.
 */
type AlarmFacts = { promise: string; impact: string | ((promised: string) => string) };

/**
 * Every alarm of a stage by its name (S-70). docs/alarms.md says under the same name what to do. Names are stable: people
 * search for them.
 */
export const alarmCatalogue = {
  'api-faults': {
    promise: 'Callers get an answer that is not 5xx (ERR-4).',
    impact:
      'More than 1 in 100 requests of partners and checkouts is answered 5xx. Look at the access log for the route, and at ' +
      'the log of its function for the cause.',
  },
  'answers-faulty': {
    promise: 'Callers get an answer of each function that is not 5xx (ERR-4, D-11).',
    impact:
      'More than 1 in 1,000 answers is 5xx, in two of ten minutes. Look at the access log for the route, and at the log of ' +
      'the function for the cause.',
  },
  'api-slow': {
    promise: 'Callers are answered within 3 s.',
    impact:
      '1 in 100 requests of partners and checkouts takes more than 3 s. Look at latencyMs and functionLatencyMs ' +
      'in the access log.',
  },
  'certificate-expires': {
    promise: 'Callers reach both APIs by TLS (O-56).',
    impact:
      'The certificate of both hosts ends in less than 30 days and was not renewed: then no partner or checkout reaches the ' +
      'service. Look at it in Certificate Manager.',
  },
  'callers-blocked': {
    promise: 'One caller cannot make the service unavailable to others (S-40).',
    impact:
      'The firewall blocks requests above its rates: a flood, or a partner or checkout that calls far too often. Look at ' +
      'the dashboard for the rule.',
  },
  'anonymous-creations': {
    promise: 'A stranger cannot fill the store (S-79).',
    impact:
      'Checkouts make more than 5 transactions a second: a campaign, or strangers from many addresses, whose transactions ' +
      'partners see in their lists. Look at the access log for the addresses.',
  },
  'tokens-refused': {
    promise: 'Partners get tokens (TOK-1).',
    impact:
      'More than half of the requests for a token are refused: a partner’s secret is wrong or somebody guesses. Look at the ' +
      'log of issue-token for the client id.',
  },
  'secrets-guessed': {
    promise: 'Nobody guesses a secret (O-55).',
    impact:
      'Somebody tries secrets, or a partner repeats a wrong one: its requests from that network are refused for a while. Look at the lines ' +
      'CLIENT_REFUSED in the log of issue-token for the client id.',
  },
  'secrets-wrong': {
    promise: 'Nobody guesses a secret (O-55).',
    impact:
      'Many wrong secrets of partners, perhaps from many addresses at once. Look at the lines CLIENT_REFUSED in the log of ' +
      'issue-token for the client id.',
  },
  'secret-ended': {
    promise: 'Nobody uses an ended secret (S-20).',
    impact:
      'Somebody presents a secret that has ended: a partner has not changed over, or it leaked. Look at the lines ' +
      'CLIENT_REFUSED in the log of issue-token for the client id.',
  },
  'signing-fails': {
    promise: 'Partners and checkouts get tokens (TOK-1).',
    impact:
      'No token can be signed: partners get none, and no checkout can begin. Look at the lines SIGNING_FAILED in the log of ' +
      'the function.',
  },
  'function-fails': {
    promise: 'Functions without callers do not fail.',
    impact: 'A function fails or takes too long. Look at its log.',
  },
  'functions-throttled': {
    promise: 'Calls of functions are not throttled (S-42).',
    impact:
      'Calls of functions are throttled: partners and checkouts get 503, and events are sent late. ' +
      'Look at the dashboard for the function.',
  },
  'table-throttled': {
    promise: 'Every request to a store is answered (ERR-4).',
    impact:
      'Tables or their indexes throttle requests: partners and checkouts get 503, or events are sent late. Look at the ' +
      'dashboard for the table.',
  },
  'writes-costly': {
    promise: 'A stranger cannot make the service expensive (S-86, TH-26).',
    impact:
      'Writes of transactions cost unusually much: a campaign, an import, or strangers who change large checkouts. Partners and ' +
      'checkouts notice nothing. Look at the access log for the addresses.',
  },
  'updates-waiting': {
    promise: 'TransactionUpdated in time (interface 6.1).',
    impact: (promised) =>
      `Partners are notified of changes after more than ${promised}, or publish-dormant does not run at all. Nothing is lost; ` +
      'look at its log and at its concurrency.',
  },
  'updates-late': {
    promise: 'TransactionUpdated in time (interface 6.1).',
    impact: (promised) =>
      `Partners were notified of a change more than ${promised} after it. Look at the log of publish-dormant.`,
  },
  'completions-late': {
    promise: 'TransactionCompleted at once (interface 6.1).',
    impact:
      'Partners were notified of a completed payment more than 2 s after it. Look at FLUSH_FAILED and BUS_UNAVAILABLE in the ' +
      'log of publish-dormant, and at COMPLETION_LEFT in that of v2-write.',
  },
  'stream-behind': {
    promise: 'TransactionUpdated in time (interface 6.1).',
    impact: (promised) =>
      `Changes are recorded more than 30 s late: partners may be notified after more than ${promised}. None is lost within ` +
      '24 h; look at the log of capture-change.',
  },
  'changes-given-up': {
    promise: 'Every change is recorded once (I20).',
    impact:
      'Stream records were given up: partners are notified late, when reconcile finds the changes. The queue has ' +
      'only their sequence numbers; look at the log of capture-change, then purge it.',
  },
  'changes-repaired': {
    promise: 'Every change is recorded once (I20).',
    impact:
      'A change was not scheduled, and was sent up to 10 minutes late. The stream, its function or its event source loses ' +
      'records: see the README of reconcile.',
  },
  'bus-silent': {
    promise: 'Every event reaches the bus (S-69).',
    impact:
      'The bus does not answer: partners receive no events, or some twice. Nothing is lost; see the state of ' +
      'EventBridge and BUS_UNAVAILABLE in the log of publish-dormant.',
  },
  'events-failing': {
    promise: 'Every event reaches the bus (S-69).',
    impact:
      'A due event fails at every try: its partners do not receive it. Nothing is lost; see FLUSH_FAILED in ' +
      'the log of publish-dormant.',
  },
  'events-refused': {
    promise: 'Every event reaches the bus (S-69).',
    impact:
      'The bus refuses an entry again and again: after five tries its partner misses those changes until the next one of that ' +
      'transaction, or a replay. Look at ENTRIES_REFUSED in the log of publish-dormant.',
  },
  'partner-failing': {
    promise: 'Every event reaches its partner (S-69).',
    impact:
      'The endpoint of the partner that the rule names refuses its events, or does not answer. See "partner show" of the ' +
      'operator’s tool, and tell the partner.',
  },
  'events-dead': {
    promise: 'Every event reaches its partner (S-69).',
    impact:
      'The bus gave up events of one partner, or of all partners if its own rights are broken: some are tried again, ' +
      'others wait for the next change or a replay. See "events list --state failed" of the operator’s tool.',
  },
  'dead-letters-lost': {
    promise: 'Dead letters are kept (S-69).',
    impact:
      'The bus could not put an event into the dead-letter queue: a partner misses it, and its log still says sent. ' +
      'Look at the policies of the queue and the key.',
  },
  'dead-letters-left': {
    promise: 'Dead letters are kept (S-69).',
    impact:
      'Failures are in the queue and not yet in the partners’ logs: their events are neither tried again nor shown as ' +
      'failed. Nothing is lost for 14 days; look at the log of collect-dead-letters.',
  },
  'endpoint-differs': {
    promise: 'Every event reaches its partner (S-69).',
    impact:
      'EventBridge does not match the record of a partner: its events are owed, or fail. Or keep-endpoints does not run. ' +
      'Look at the lines ENDPOINT_DIFFERS in the log of keep-endpoints for the client id, and at its schedule.',
  },
  'listing-drifts': {
    promise: 'Lists and totals are exact (S-03).',
    impact:
      'A list of a partner or of a session did not match its total in any of four reads. Look with "listing audit" of ' +
      'the operator’s tool, and repair with "listing repair".',
  },
  'reconcile-silent': {
    promise: 'Lost changes are found within 10 minutes (I20).',
    impact:
      'Lost changes are not found, and partners not notified of them: reconcile does not run. Look at its two schedules.',
  },
  'daily-reconcile-silent': {
    promise: 'Lost changes of two days are found (I20).',
    impact:
      'Changes that were lost longer than half an hour ago are not found, and their partners not notified. Look at the daily ' +
      'schedule of reconcile.',
  },
  'sweep-silent': {
    promise: 'Expired transactions are removed (V1-8).',
    impact:
      'Untouched and abandoned checkouts stay, and partners keep them in their lists: sweep-expired does not run. Look at its ' +
      'schedule.',
  },
  'key-in-danger': {
    promise: 'Data at rest can be read by its owner (S-55).',
    impact:
      'Somebody disables or deletes the key of all data: soon no partner or checkout is answered. Look at CloudTrail for who, ' +
      'then enable it, or cancel its deletion.',
  },
  'recovery-off': {
    promise: 'Tables can be restored to any second of 35 days (S-56).',
    impact:
      'Somebody changed the point-in-time recovery or the deletion protection of a table: what partners and checkouts lose ' +
      'now may be lost permanently. Look at CloudTrail for who.',
  },
  'secret-in-danger': {
    promise: 'Partners and checkouts get tokens, signed by keys that are rotated (TOK-3).',
    impact:
      'Somebody deletes the signing keys or the pepper, or ends their rotation, or a rotation failed: soon partners and ' +
      'checkouts may get no tokens. Look at CloudTrail for who, and at the log of rotate-keys.',
  },
  'watch-in-danger': {
    promise: 'Dangerous changes are noticed (S-70).',
    impact:
      'Somebody stops or changes a trail, or a rule of the stage: changes that harm partners and checkouts may no longer be ' +
      'noticed. Look at CloudTrail for who.',
  },
  'usage-unusual': {
    promise: 'Unusual costs are noticed (S-43).',
    impact:
      'Partners and checkouts call far more often than at this time of other days. Look at the dashboard for the API, and at ' +
      'its access log for who.',
  },
} as const satisfies Record<string, AlarmFacts>;

export type AlarmName = keyof typeof alarmCatalogue;

const shiftAlarms: readonly AlarmName[] = ['answers-faulty', 'api-faults'];

/** All callers or all partners are affected, or soon data is lost. One partner's outage wakes nobody. */
const urgentAlarms: readonly AlarmName[] = [
  'answers-faulty',
  'api-faults',
  'functions-throttled',
  'signing-fails',
  'bus-silent',
  'stream-behind',
  'updates-waiting',
  'key-in-danger',
  'recovery-off',
  'secret-in-danger',
  'watch-in-danger',
];

/** Whether CodeDeploy rolls new versions of functions back for this alarm; `alarm` is its whole name (D-11). */
export const takesBack = (stage: StageName, alarm: string): boolean => isOneOf(shiftAlarms, stage, alarm);

/** Whether this alarm wakes somebody; `alarm` is its whole name (S-70). */
export const isUrgent = (stage: StageName, alarm: string): boolean => isOneOf(urgentAlarms, stage, alarm);

const isOneOf = (names: readonly AlarmName[], stage: StageName, alarm: string): boolean =>
  names.some((name) => `${alarm}-`.startsWith(`transactions-${stage}-${name}-`));

/** The effect of a function that fails or takes too long. */
export const impactOfFailure: Record<FunctionName, string> = {
  'v1-transaction': 'Checkouts get 5xx and may lose what was entered last.',
  'v2-read': 'Partners get 5xx for lists and transactions.',
  'v2-partner': 'Partners get 5xx when they list or replay events.',
  'v2-write':
    'Partners get 5xx for changes and payments; a second try with the same Idempotency-Key shows whether they were made.',
  'issue-token': 'Partners get no tokens.',
  'capture-change': 'Changes are recorded late, and partners may be notified later than promised.',
  'publish-dormant': 'Runs of publish-dormant fail: the next ones take over and notify partners later.',
  'collect-dead-letters': 'Failed deliveries to partners are not recorded, and not tried again.',
  'keep-endpoints':
    'Partners are paused, resumed, or moved to another address late, and their events are owed until then.',
  'probe-endpoint': 'New addresses of partners are not checked, and receive no events until they are.',
  reconcile: 'Lost changes are not found as long as reconcile fails, and partners are not notified of them.',
  'rotate-keys':
    'A key is not rotated when it should be; partners and checkouts notice nothing of it. Run "keys rotate" of the ' +
    'operator’s tool again.',
  'serve-docs': 'Partners find no documentation page and no openapi.json (5xx); the APIs work on.',
  'sweep-expired': 'Untouched and abandoned checkouts stay for longer; partners see them in their lists.',
};
