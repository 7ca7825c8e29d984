import { AsyncLocalStorage } from 'node:async_hooks';
import type { IncomingMessage } from 'node:http';
import type { Change } from '../webhook/change.ts';
import type { Incoming } from '../webhook/receiver.ts';
import { memoryStore, type ReceiverStore } from '../webhook/store.ts';

/** What a message was, and what became of it. */
export type Sighting = {
  at: string;
  verdict: string;
  id?: string;
  type?: string;
  transaction?: string;
  changed?: string[];
  from?: number;
  to?: number;
};

/** Watches a receiver at work: which request asked what of its store, and what came of that. */
export type Sightings = {
  store: ReceiverStore<undefined>;
  /** Hears each change as it is kept. */
  applied: (change: Change) => void;
  /** The same request, whose body is looked at as it is read. */
  reading: (incoming: Incoming) => Incoming;
  watch: <Value>(request: IncomingMessage, work: () => Value) => Value;
  of: (request: IncomingMessage) => Sighting;
};

export const createSightings = (now: () => Date): Sightings => {
  const present = new AsyncLocalStorage<Sighting>();
  const byRequest = new WeakMap<IncomingMessage, Sighting>();
  const kept = memoryStore();
  const see = (facts: Partial<Sighting>) => void Object.assign(present.getStore() ?? {}, facts);
  return {
    store: {
      ...kept,
      step: (uuid, work) =>
        kept.step(uuid, (records) => {
          // Until something else is seen: nothing of it was news.
          if (present.getStore()?.verdict === 'passed by') see({ verdict: 'older' });
          return work({
            ...records,
            isSeen: async (id) => {
              const isSeen = await records.isSeen(id);
              if (isSeen) see({ verdict: 'duplicate' });
              return isSeen;
            },
            keepChain: async (of, chain) => {
              if (chain.unreadTo !== undefined) see({ verdict: 'gap: reads the API' });
              return records.keepChain(of, chain);
            },
          });
        }),
    },
    applied: ({ kind }) => {
      if (kind !== 'state' && kind !== 'gone') see({ verdict: 'applied' });
    },
    reading: (incoming) => ({
      ...incoming,
      body: async () => {
        const body = await incoming.body();
        if (typeof body !== 'string') see(factsIn(body.value));
        return body;
      },
    }),
    watch: (request, work) => {
      const sighting = { at: now().toISOString(), verdict: 'passed by', ...versionsIn(request) };
      byRequest.set(request, sighting);
      return present.run(sighting, work);
    },
    of: (request) => byRequest.get(request) ?? { at: now().toISOString(), verdict: '' },
  };
};

const versionsIn = ({ headers }: IncomingMessage): Partial<Sighting> => {
  const [from, to] = [headers['x-transaction-from-version'], headers['x-transaction-version']];
  return to === undefined ? {} : { from: Number(from), to: Number(to) };
};

const own = ['uuid', 'status', 'ndMeta'];

/** What a body says of itself; whether that may be believed, the receiver decides. */
const factsIn = (value: unknown): Partial<Sighting> => {
  const { id, 'detail-type': type, detail } = membersOf(parsed(value));
  const { uuid } = membersOf(detail);
  return {
    ...(typeof id === 'string' && { id }),
    ...(typeof type === 'string' && { type }),
    ...(typeof uuid === 'string' && { transaction: uuid, changed: namesOf(membersOf(detail)) }),
  };
};

const parsed = (value: unknown): unknown => {
  try {
    return typeof value === 'string' ? JSON.parse(value) : value;
  } catch {
    return undefined;
  }
};

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};

const namesOf = (detail: object): string[] =>
  Object.entries(detail)
    .filter(([name]) => !own.includes(name))
    .map(([name, value]) => (isRemoved(value) ? `${name} removed` : name));

const isRemoved = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
