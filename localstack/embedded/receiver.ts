import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { createLimit } from '../../functions/shared/runtime/limit.ts';
import {
  type Chain,
  type Change,
  createReceiver,
  nodeHandler,
  type Receipt,
  type Receiver,
  type ReceiverStore,
} from '../../partner-kit/src/index.ts';
import { openLoopback } from './loopback.ts';
import type { State } from './state.ts';

/** The chosen condition of a partner's receiver: healthy, or broken as real receivers are. */
export const conditions = ['healthy', 'answers 500', 'answers 401', 'does not answer'] as const;
export type Condition = (typeof conditions)[number];

export type ReceiverOptions = {
  /** 0 for a free port. */
  port: number;
  state: State;
  /** The only `source` of messages that it accepts (interface 6.2). */
  source: string;
  /** The signature that a demo partner got with its credentials. */
  issuedTo: (partner: string) => string | undefined;
  say: (line: string) => void;
  /** Handles other requests at this port; returns whether it does. */
  beside?: (request: IncomingMessage, response: ServerResponse) => boolean;
  /** Whether a page of another origin may send this request. */
  admits?: (request: IncomingMessage) => boolean;
};

/** A received message, with the number of times that it came. */
export type ReceivedMessage = {
  receivedAt: string;
  partner: string;
  copies: number;
} & Pick<Receipt, 'id' | 'type' | 'uuid' | 'range' | 'link' | 'message'>;

/** The most listed messages: few, since their bodies contain customers' data. */
const listed = 50;

/**
 * The webhook receiver (interface 4.4) of demo partners and of anybody's own: the partner kit's, with an address for each partner
 * and a store in the stage's file. `POST /webhooks/<partner>` receives a message, `GET /webhooks` lists the latest ones, and
 * `GET /webhooks/<partner>/transactions/<uuid>` shows the partner's copy of a transaction. `PUT /webhooks/<partner>` with
 * `signature=VALUE` tells it what to accept for a partner.
 */
export const openReceiver = async (options: ReceiverOptions) => {
  const { state, say } = options;
  const accepted = state.records<string[]>('accepted signatures');
  /** The values that a partner's receiver accepts; none for a partner that it does not know. */
  const signaturesOf = (partner: string): string[] =>
    accepted.get(partner) ?? [options.issuedTo(partner)].filter((value) => value !== undefined);
  const chosen = new Map<string, Condition>();
  const conditionOf = (partner: string): Condition => chosen.get(partner) ?? 'healthy';
  const messages = state.records<ReceivedMessage>('received message');
  const latest = () => messages.list().toReversed();

  const note = (partner: string, { id, type, uuid, range, link, message }: Receipt) => {
    const all = messages.list();
    const known = all.findIndex((one) => one.partner === partner && one.id === id);
    const first = Number(state.records<number>('received count').get('next') ?? 0);
    if (known >= 0) {
      const found = all[known];
      if (found) messages.put(numbered(first - all.length + known), { ...found, copies: found.copies + 1 });
      return;
    }
    const receivedAt = new Date().toISOString();
    messages.put(numbered(first), { receivedAt, partner, id, type, uuid, range, link, message, copies: 1 });
    state.records<number>('received count').put('next', first + 1);
    messages.remove(numbered(first - listed));
  };

  const receiverOf = (partner: string): Receiver => {
    const copies = state.records<object | null>(`copy ${partner}`);
    const receiver = createReceiver<Keep>({
      source: options.source,
      signatures: signaturesOf(partner),
      store: storeOf(state, partner),
      apply: (change, keep) => {
        if (change.kind !== 'completed') keep(change.uuid, stateAfter(change, copies.get(change.uuid)));
      },
      onFault: (fault) => say(`The webhook receiver failed: ${fault}`),
    });
    return {
      ...receiver,
      receive: async (incoming) => {
        const verdict = await receiver.receive(incoming);
        const { status, receipt } = verdict;
        if (status === 401) say(`${clockText()}  ${partner}  a message with a wrong signature was refused`);
        if (receipt && receipt.outcome !== 'passed-by') note(partner, receipt);
        if (receipt) say(receivedLine(partner, receipt));
        return verdict;
      },
    };
  };

  /** What a partner's developer does at their own receiver, at first and at a rotation: it accepts these values from now on. */
  const configure = (partner: string, form: string, response: ServerResponse) => {
    const values = new URLSearchParams(form).getAll('signature').filter((value) => value !== '');
    if (values.length === 0)
      return response.writeHead(400).end('Send signature=VALUE, once for each value.\n');
    accepted.put(partner, values);
    return response.writeHead(204).end();
  };

  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const [path = ''] = (request.url ?? '').split('?');
    const isGet = request.method === 'GET';
    if (isGet && path === '/webhooks') return show(response, { webhooks: latest() });
    const [, partner = '', uuid] = /^\/webhooks\/([\w.-]+)(?:\/transactions\/([\w-]+))?$/.exec(path) ?? [];
    if (request.method === 'PUT' && partner !== '' && uuid === undefined)
      return configure(partner, await text(request), response);
    if (signaturesOf(partner).length === 0) return show(response, undefined);
    if (uuid !== undefined) return show(response, isGet ? copyOf(state, partner, uuid) : undefined);
    const condition = conditionOf(partner);
    if (condition === 'healthy') return nodeHandler(receiverOf(partner))(request, response);
    say(`${clockText()}  ${partner}  simulates a fault: ${condition}`);
    request.resume();
    // The sender closes the connection of one that does not answer.
    if (condition === 'does not answer') return;
    response.writeHead(condition === 'answers 401' ? 401 : 500).end();
  };

  const server = await openLoopback(
    (request, response) => {
      if (options.beside?.(request, response)) return;
      respond(request, response).catch((fault: unknown) => {
        say(`The webhook receiver failed: ${fault}`);
        // The sender retries after a 5xx.
        response.writeHead(500).end();
      });
    },
    { port: options.port, ...(options.admits && { admits: options.admits }) },
  );
  return {
    url: `${server.url}/webhooks`,
    /** The newest messages first. */
    latest,
    signaturesOf,
    conditionOf,
    choose: (partner: string, condition: Condition) => void chosen.set(partner, condition),
    stop: server.stop,
  };
};

export type DemoReceiver = Awaited<ReturnType<typeof openReceiver>>;

/** Names sort as the numbers do. */
const numbered = (number: number): string => `${number}`.padStart(12, '0');

const show = (response: ServerResponse, body: object | undefined) => {
  if (body === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body, null, 2));
};

/** Null for a deleted transaction, of which only the version is kept, in the chain. */
const stateAfter = (change: Change, copy: object | null | undefined): object | null =>
  change.kind === 'update' ? { ...copy, ...change.detail } : null;

const copyOf = ({ records }: State, partner: string, uuid: string): object | undefined => {
  const copy = records<object | null>(`copy ${partner}`).get(uuid);
  return copy ? { version: records<Chain>(`chain ${partner}`).get(uuid)?.known, ...copy } : undefined;
};

/** Stores a partner's copy of a transaction. */
type Keep = (uuid: string, copy: object | null) => void;

const inLine = createLimit(1);

/** The kit's store. It collects the writes of a step, since a transaction of the database must not wait for asynchronous work. */
const storeOf = ({ records, inOneStep }: State, partner: string): ReceiverStore<Keep> => {
  const copies = records<object | null>(`copy ${partner}`);
  const seen = records<true>(`seen ${partner}`);
  const chains = records<Chain>(`chain ${partner}`);
  return {
    step: (_uuid, work) =>
      inLine(async () => {
        const writes: (() => void)[] = [];
        const value = await work({
          tx: (uuid, copy) => void writes.push(() => copies.put(uuid, copy)),
          isSeen: async (id) => seen.get(id) !== undefined,
          markSeen: async (id) => void writes.push(() => seen.put(id, true)),
          chain: async (uuid) => chains.get(uuid),
          keepChain: async (uuid, chain) => void writes.push(() => chains.put(uuid, chain)),
        });
        inOneStep(() => {
          for (const write of writes) write();
        });
        return value;
      }),
    // Without reads of the API no transaction is ever to be read again.
    unread: async () => [],
  };
};

const clockText = (): string => new Date().toTimeString().slice(0, 8);

/** A received message as a line with names and versions, without customers' data. */
export const receivedLine = (partner: string, receipt: Receipt): string => {
  const { type, uuid = '', range, changed, omitted } = receipt;
  const start = [clockText(), partner, type.padEnd('TransactionCompleted'.length)];
  if (receipt.outcome === 'passed-by') return start.join('  ').trimEnd();
  // Elements that were too large follow in a note.
  const elements =
    changed.length > 0
      ? [changed.join(', ')]
      : omitted.length > 0
        ? []
        : ['properties of the transaction, or its owner'];
  return [
    ...start,
    `${uuid.slice(0, 8)}…`,
    ...elements,
    ...(range ? [`versions ${range.from} → ${range.to}`] : []),
    ...notesOf(receipt),
  ].join('  ');
};

const notesOf = ({ outcome, link, omitted, isDeletion }: Receipt): string[] => {
  if (outcome === 'duplicate') return ['duplicate: its id is known'];
  if (outcome === 'older') return ['late: a newer event was accepted, so it is ignored'];
  if (isDeletion) return ['deleted: nothing to read'];
  const incomplete = [
    ...(link === 'starts-in-the-middle' ? ['new for this partner'] : []),
    ...(link === 'gap' ? ['an earlier event is missing'] : []),
    ...(omitted.length > 0 ? [`too large, without ${omitted.join(', ')}`] : []),
  ];
  return [
    ...(link === 'older' ? ['late: only elements without a newer value were accepted'] : []),
    ...(incomplete.length > 0 ? [`${incomplete.join(', ')}: read the API`] : []),
  ];
};
