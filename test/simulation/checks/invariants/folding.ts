import { isDeepStrictEqual } from 'node:util';
import { eventElementNames } from '../../../../functions/shared/domain/event/event.ts';
import { presentTransaction } from '../../../../functions/shared/domain/query/projection.ts';
import {
  elementNames,
  type JsonObject,
  type JsonValue,
  type StoredTransaction,
} from '../../../../functions/shared/domain/transaction/transaction.ts';
import type { Arrival } from '../../service/history.ts';
import type { Facts, Finding } from '../facts.ts';

/** What a partner knows of one transaction: a member that it cannot know is absent. */
type Known = { version: number; state: JsonObject };

const watched = [...eventElementNames, 'ndMeta', 'status'] as const;

/**
 * Equivalence: folding a partner's events gives the API's state. The partner does as docs/guide/webhooks.md says: an
 * event that does not join makes it read the API (EV-4), an older one is skipped, and left-out elements are read
 * (EV-9).
 */
export const foldsAreTheApi = (facts: Facts): Finding[] => {
  const taken = facts.world.history.arrivals.filter(
    ({ answer, body }) => answer.startsWith('2') && body.includes('"TransactionUpdated"'),
  );
  const streams = Map.groupBy(taken, ({ clientId, body }) => `${clientId}/${uuidIn(body)}`);
  return [...streams.values()].flatMap((arrivals) => foldOne(facts, arrivals));
};

const foldOne = (facts: Facts, arrivals: readonly Arrival[]): Finding[] => {
  let known: Known | undefined;
  return arrivals.flatMap((arrival) => {
    known = fold(facts, known, arrival);
    return known ? differences(facts, known, arrival) : [];
  });
};

const fold = (facts: Facts, known: Known | undefined, arrival: Arrival): Known | undefined => {
  const { body, headers, atMs } = arrival;
  const [from, to] = [
    Number(headers['X-Transaction-From-Version']),
    Number(headers['X-Transaction-Version']),
  ];
  if (known && to <= known.version) return known;
  if (!known || from > known.version) {
    const stored = facts.stateAt(uuidIn(body), atMs);
    return stored && { version: stored.version, state: answerOf(stored) };
  }
  const { detail } = JSON.parse(body) as { detail: JsonObject };
  const state = detail.isDeleted === 1 ? { ...detail } : { ...known.state, ...detail };
  for (const name of (headers['X-Transaction-Omitted'] ?? '').split(',')) delete state[name];
  return { version: to, state };
};

/** What the API answers a partner of a version, with everything expanded. */
const answerOf = ({ transaction }: StoredTransaction): JsonObject => {
  const elements = new Map(elementNames.map((name) => [name, 'everything'] as const));
  const shown = presentTransaction(
    transaction,
    { own: 'everything', elements },
    { showsPaymentTokens: true },
  );
  return JSON.parse(JSON.stringify(shown));
};

/** Tokens apart: whether they are shown may change in between. */
const differences = (
  facts: Facts,
  { version, state }: Known,
  { body, clientId, atMs }: Arrival,
): Finding[] => {
  const uuid = uuidIn(body);
  const stored = facts.state(uuid, version);
  const expected = stored && withoutTokens(answerOf(stored));
  const wrong = watched.filter(
    (name) => Object.hasOwn(state, name) && !isDeepStrictEqual(withoutTokens(state)[name], expected?.[name]),
  );
  return wrong.map((name) => ({
    ...{ invariant: 'TH-08', uuid, atMs },
    what: `${clientId} folds another ${name} than the API answers of version ${version}`,
  }));
};

const withoutTokens = (state: JsonObject): JsonObject => ({
  ...state,
  payments: ((state.payments ?? []) as JsonObject[]).map(
    (payment): JsonValue => ({ ...payment, token: null }),
  ),
});

const uuidIn = (body: string) => /"uuid":"([^"]+)"/.exec(body)?.[1] ?? '';
