import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  createReceiver,
  type Incoming,
  memoryStore,
  nodeHandler,
  type Receiver,
  type ReceiverOptions,
  type StepRecords,
} from '../../../partner-kit/src/index.ts';

export type Message = { id: string; 'detail-type': string; source: string; detail: Detail };
type Detail = { uuid?: string; isDeleted?: number; ndMeta: { group: string } } & Record<string, unknown>;

/** What it has of each transaction. */
type State = Map<string, Record<string, unknown>>;
type Status = number | undefined | Promise<number | undefined>;

/** What a receiver does wrong; everything else the kit does right. A status ends the work on a request there. */
export type Mistakes = {
  /** Of a POST, before it verifies; headers may be changed, and `body` be set, as by a body parser. */
  before?: Before;
  /** With a message that is verified and not yet judged; it may be changed, and a fault is a 500. */
  reading?: Reading;
  /** What is answered instead of a status. */
  answers?: Readonly<Record<number, number>>;
  /** What it has forgotten, or never knew. */
  recall?: Partial<StepRecords<undefined>>;
  options?: Partial<ReceiverOptions>;
};

export type Before = (request: IncomingMessage & { body?: unknown }) => Status;
export type Reading = (message: Message, about: { from: number; to: number; state: State }) => Status;

export type PartnerReceiver = { url: string; stateUrl: string; stop: () => Promise<void> };

/** The kit's receiver in memory: `POST /in` takes messages, `GET /state/<uuid>` shows what it has. */
export const startPartnerReceiver = async (
  ours: { signature: string; source: string },
  mistakes: Mistakes = {},
): Promise<PartnerReceiver> => {
  const state: State = new Map();
  const receiver = withMistakes(receiverOf({ ...ours, state }, mistakes), { mistakes, state });
  const receive = async (request: IncomingMessage, response: ServerResponse) => {
    const [, uuid] = /^\/state\/(.+)$/.exec(request.url ?? '') ?? [];
    if (uuid !== undefined) return response.end(JSON.stringify(state.get(uuid) ?? null));
    const early = request.method === 'POST' ? await mistakes.before?.(request) : undefined;
    return early === undefined ? nodeHandler(receiver)(request, response) : response.writeHead(early).end();
  };
  const server = createServer((request, response) =>
    receive(request, response).catch(() => response.writeHead(500).end()),
  );
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `${base}/in`, stateUrl: `${base}/state/{uuid}`, stop };
};

const receiverOf = (
  { signature, source, state }: { signature: string; source: string; state: State },
  { recall, options }: Mistakes,
): Receiver => {
  const kept = memoryStore();
  return createReceiver({
    ...{ signatures: signature, source },
    store: { ...kept, step: (uuid, work) => kept.step(uuid, (records) => work({ ...records, ...recall })) },
    apply: ({ kind, uuid, ...change }) => {
      if (kind === 'deleted') state.delete(uuid);
      if (kind === 'update' && 'detail' in change) state.set(uuid, { ...state.get(uuid), ...change.detail });
    },
    onFault: () => {},
    ...options,
  });
};

const withMistakes = (
  receiver: Receiver,
  { mistakes: { reading, answers }, state }: { mistakes: Mistakes; state: State },
): Receiver => ({
  ...receiver,
  receive: async (incoming) => {
    const found: { status?: number | undefined } = {};
    const body: Incoming['body'] = async () => {
      const given = await incoming.body();
      if (typeof given === 'string' || !reading) return given;
      const message: Message = JSON.parse(String(given.value));
      const versions = { from: versionIn(incoming, '-from'), to: versionIn(incoming) };
      found.status = await reading(message, { ...versions, state });
      // Only a body that is missing keeps the kit from taking the message.
      return found.status === undefined ? { value: message } : 'body-consumed';
    };
    const { status } = await receiver.receive({ ...incoming, body });
    return { status: found.status ?? answers?.[status] ?? status };
  },
});

const versionIn = ({ header }: Incoming, which = '') => Number(header(`x-transaction${which}-version`));

/** Takes a value for the operator's that is not. */
export const takesFor =
  (signature: string, isTaken: (value: string) => boolean): Before =>
  async ({ headers }) => {
    if (isTaken(String(headers['x-webhook-signature'] ?? ''))) headers['x-webhook-signature'] = signature;
    return undefined;
  };

/** Parses a body before verifying it. A body that it cannot parse is a fault. */
export const readAll: Before = async (request) => {
  const all = await text(request);
  if (all.length > 1_000_000) throw new Error('Too large to be held.');
  request.body = JSON.parse(all);
  return undefined;
};

/** Ends the connection at a body that is no object, without an answer. */
export const silentAtNoObject: Before = async (request) => {
  const all = await text(request);
  if (!/^{.*}$/s.test(all)) request.socket.destroy();
  else request.body = JSON.parse(all);
  return undefined;
};

/** Reads each request to its end before it looks at the next. */
export const oneAtATime = (): Before => {
  const turn: { last: Promise<unknown> } = { last: Promise.resolve() };
  return async (request) => {
    turn.last = turn.last.then(() => text(request)).catch(() => '');
    request.body = await turn.last;
    return undefined;
  };
};

/** Refuses requests above this concurrency. */
export const atMost = (most: number): Before => {
  const working = { count: 0 };
  return async (request) => {
    request.once('close', () => {
      working.count -= 1;
    });
    working.count += 1;
    return working.count > most ? 503 : undefined;
  };
};

/** Refuses an update that begins after what it has. */
export const refusingGaps = (): Reading => {
  const known = new Map<unknown, number>();
  return ({ 'detail-type': type, detail: { uuid } }, { from, to }) => {
    const last = known.get(uuid) ?? 0;
    if (type !== 'TransactionUpdated' || to <= last) return undefined;
    if (from > last) return 409;
    known.set(uuid, to);
    return undefined;
  };
};

/** Accepts what is below its highest version, and ignores it. */
export const passingOverLate = (): Reading => {
  const known = new Map<unknown, number>();
  return ({ 'detail-type': type, detail: { uuid } }, { to }) => {
    if (type !== 'TransactionUpdated') return undefined;
    if (to <= (known.get(uuid) ?? 0)) return 204;
    known.set(uuid, to);
    return undefined;
  };
};

/** Lets a completion move the version of its transaction, so that the update with the same payments looks old. */
export const movedByCompletions = (): Reading => {
  const moved = new Map<unknown, number>();
  return ({ 'detail-type': type, detail: { uuid } }, { to }) => {
    if (type === 'TransactionCompleted') moved.set(uuid, to);
    else if (to <= (moved.get(uuid) ?? 0)) return 204;
    return undefined;
  };
};

/** Refuses a copy. */
export const refusingCopies = (): Reading => {
  const ids = new Set<string>();
  return ({ id }) => {
    if (ids.has(id)) return 409;
    ids.add(id);
    return undefined;
  };
};
