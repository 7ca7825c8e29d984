import { restoreTransaction } from '../../../bin/operator/import/restore.ts';
import { shop } from '../../support/apis/v1-transaction.ts';
import type { Reply } from '../../support/apis/write-apis.ts';
import { createMemorySessions } from '../../support/memory/sessions.ts';
import type { Operation } from './model.ts';
import type { Request, World } from './write-world.ts';

/** What became of one operation: what its caller was told, and between which commits it was asked. */
export type Told = { operation: Operation; reply: Reply; from: number; to: number; tries: number };

/** Where the process dies during one request: before its n-th request to the store, half a step later behind it. */
export type ChooseCrash = () => number;

const maximumTries = 6;

/**
 * Asks as a caller does: under a key again and again until an answer comes (WR-1), without one once. After a 5xx it
 * knows nothing.
 */
export const askFor = async (
  world: World,
  operation: Operation,
  chooseCrash: ChooseCrash = () => 0,
): Promise<Told> => {
  const from = world.commits.length;
  for (let tries = 1; ; tries += 1) {
    const crashesAt = tries < maximumTries ? chooseCrash() : 0;
    const reply = await askOnce(world, operation, crashesAt);
    const isTold = reply.status < 500;
    if (isTold || operation.key === undefined || tries === maximumTries)
      return { operation, reply, from, to: world.commits.length, tries };
  }
};

/** Sends it once. */
export const askOnce = async (world: World, operation: Operation, crashesAt = 0): Promise<Reply> => {
  const request = { operation: operation.id, isDead: false, sent: 0, crashesAt };
  if (operation.kind === 'restore') return restored(world, operation, request);
  const reply = await world.ask(request, addressOf(operation), {
    method: methods[operation.kind],
    headers: await headersOf(world, operation),
    body: JSON.stringify(bodyOf(operation)),
  });
  return request.isDead ? { ...reply, status: 599 } : reply;
};

const methods = { create: 'POST', merge: 'PATCH', replace: 'PUT', payment: 'POST' };

const addressOf = ({ kind, via, uuid }: Operation) => {
  if (kind === 'create') return '/api/transaction';
  if (kind === 'payment') return '/api/v2/payment';
  return via === 'session' ? `/api/transaction/${uuid}` : `/api/v2/transaction/${uuid}`;
};

const bodyOf = ({ kind, body, uuid = '' }: Operation) =>
  kind === 'payment' ? { ...body, transaction: uuid } : body;

const headersOf = async (world: World, { via, session, key, ifMatch }: Operation) => ({
  Authorization: `Bearer ${via === 'session' ? await world.tokenOf(session) : via}`,
  'Content-Type': 'application/json',
  Origin: shop,
  ...(key !== undefined && { 'Idempotency-Key': key }),
  ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}.x"` }),
});

const restoreStatuses = { 'no-transaction': 404, 'not-deleted': 409, erased: 409, 'changed-meanwhile': 503 };

/** The operator's tool uses no idempotency keys. A process that dies gets no answer. */
const restored = (world: World, { uuid = '' }: Operation, request: Request): Promise<Reply> =>
  world.requests.run(request, async () => {
    const nothing = { headers: {}, text: '' };
    try {
      const outcome = await restoreTransaction(uuid, {
        transactions: world.store,
        sessions: createMemorySessions(),
        now: world.clock,
      } as never);
      if (outcome.ok) return { ...nothing, status: 200 };
      return { ...nothing, status: restoreStatuses[outcome.reason] };
    } catch {
      return { ...nothing, status: 599 };
    }
  });
