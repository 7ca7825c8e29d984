import { type BacklogRow, type LogLine, outcomeIn, type SendingLine } from './rows.ts';

/** The states of an event for one partner, in the partner's API and in the operator's tool, each with its meaning. */
export const stateMeanings = {
  sent: 'It is on its way to the endpoint, with retries for up to 24 hours. A failure is a line of its own.',
  failed: 'The endpoint did not accept it. The next event of the transaction has its changes, too.',
  waiting: 'It is still to be sent.',
  withheld: 'It was not sent.',
} as const;
export type EventState = keyof typeof stateMeanings;
export const eventStates = Object.keys(stateMeanings) as EventState[];

export const stateOf = {
  SENT: 'sent',
  FAILED: 'failed',
  WITHHELD: 'withheld',
} as const satisfies Record<LogLine['outcome'], EventState>;

/** One event for one partner, as it is shown: a line of the log, or what the partner is owed. */
export type ShownEvent = Pick<LogLine, 'clientId' | 'uuid' | 'type'> & {
  state: EventState;
  reason?: string;
  from: number;
  /** Absent of an update that waits: it will be of the version that the transaction has then. */
  to?: number;
  /** When it was sent; of one that waits, when it is tried next, if it is tried by itself. */
  atMs?: number;
  eventId?: string;
};

export const shownLine = ({ outcome, busEventId: _, ...line }: LogLine): ShownEvent => ({
  ...line,
  state: stateOf[outcome],
});

/** What a partner is owed of a transaction: an update, a completion, or both. */
export const shownDebts = ({ clientId, uuid, reason, dueAtMs, ...row }: BacklogRow): ShownEvent[] => {
  const about = {
    clientId,
    uuid,
    reason,
    state: 'waiting',
    ...(dueAtMs !== undefined && { atMs: dueAtMs }),
  } as const;
  const { from, completed } = row;
  const update: ShownEvent[] = from === undefined ? [] : [{ ...about, type: 'TransactionUpdated', from }];
  const completion: ShownEvent[] =
    completed === undefined
      ? []
      : [{ ...about, type: 'TransactionCompleted', from: completed - 1, to: completed }];
  return [...update, ...completion];
};

/** The outcomes of one sending, as `notesOf` has written them. */
export const shownSending = (sending: SendingLine): ShownEvent[] =>
  Object.keys(sending.outcomes).flatMap((clientId) => {
    const own = outcomeIn(sending, clientId);
    if (!own) return [];
    const { outcome, ...about } = own;
    return [{ ...about, state: stateOf[outcome] }];
  });

const sentences: Record<string, string> = {
  PAUSED: 'The webhook is paused.',
  NOT_READY: 'The endpoint is not ready yet.',
  REPLAY: 'It is replayed.',
  DISABLED: 'The access was disabled then.',
  NO_ENDPOINT: 'There was no webhook then.',
  MAY_NOT_READ: 'The OAuth scope nop2/read was missing then.',
  OUT_OF_SCOPE: 'The transaction was outside the grants then.',
  REMOVED: 'The webhook was removed, or the partner disabled.',
  TARGET_REMOVED: 'The webhook was removed meanwhile.',
  EXHAUSTED: 'It was tried for 24 hours.',
  TIMEOUT: 'The endpoint did not answer within 5 seconds.',
  DNS: 'The endpoint could not be reached.',
};

/** A reason as a sentence. What happens between us and the bus has none. */
export const reasonSentenceOf = (reason: string): string | undefined => {
  const [, status] = /^HTTP_(\d{3})$/.exec(reason) ?? [];
  return status === undefined ? sentences[reason] : `The endpoint answered ${status}.`;
};

/** A reason as partners see it. It stays the same, because programs compare it. */
export const reasonShown = (reason: string): string =>
  reasonSentenceOf(reason) === undefined ? 'OTHER' : reason;

/** State and reason as sentences. */
export const meaningOf = (state: EventState, reason: string | undefined): string =>
  [stateMeanings[state], reason !== undefined && reasonSentenceOf(reason)].filter(Boolean).join(' ');
