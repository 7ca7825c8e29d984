import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createReceiver,
  memoryStore,
  nodeHandler,
  type Receipt,
  type Receiver,
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
 * The webhook receiver (interface 4.4) of demo partners and of anybody's own: the partner kit's, with an address for each partner.
 * `POST /webhooks/<partner>` receives a message, `GET /webhooks` lists the latest ones, and
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
  const kept = state.records<ReceivedMessage[]>('received messages');
  /** The newest messages first. */
  const latest = kept.get('latest') ?? [];
  /** What each receiver remembers until the stage ends, and its copies of transactions. */
  const memories = new Map<string, { store: ReturnType<typeof memoryStore>; copies: Map<string, object> }>();
  const memoryOf = (partner: string) => {
    const memory = memories.get(partner) ?? { store: memoryStore(), copies: new Map() };
    memories.set(partner, memory);
    return memory;
  };

  const note = (partner: string, { id, type, uuid, range, link, message }: Receipt) => {
    const known = latest.find((one) => one.partner === partner && one.id === id);
    const receivedAt = new Date().toISOString();
    if (known) known.copies += 1;
    else latest.unshift({ receivedAt, partner, id, type, uuid, range, link, message, copies: 1 });
    latest.splice(listed);
    kept.put('latest', latest);
  };

  const receiverOf = (partner: string): Receiver => {
    const { store, copies } = memoryOf(partner);
    const receiver = createReceiver({
      ...{ source: options.source, signatures: signaturesOf(partner), store },
      apply: (change) => {
        if (change.kind === 'deleted') copies.delete(change.uuid);
        if (change.kind === 'update')
          copies.set(change.uuid, { ...copies.get(change.uuid), ...change.detail });
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
    if (isGet && path === '/webhooks') return show(response, { webhooks: latest });
    const [, partner = '', uuid] = /^\/webhooks\/([\w.-]+)(?:\/transactions\/([\w-]+))?$/.exec(path) ?? [];
    if (request.method === 'PUT' && partner !== '' && uuid === undefined)
      return configure(partner, await text(request), response);
    if (signaturesOf(partner).length === 0) return show(response, undefined);
    if (uuid !== undefined) return show(response, isGet ? memoryOf(partner).copies.get(uuid) : undefined);
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
    signaturesOf,
    conditionOf,
    choose: (partner: string, condition: Condition) => void chosen.set(partner, condition),
    stop: server.stop,
  };
};

export type DemoReceiver = Awaited<ReturnType<typeof openReceiver>>;

const show = (response: ServerResponse, body: object | undefined) => {
  if (body === undefined) response.writeHead(404).end();
  else response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(body, null, 2));
};

const clockText = (): string => new Date().toTimeString().slice(0, 8);

/** A received message as a line with names and versions, without customers' data. */
export const receivedLine = (partner: string, receipt: Receipt): string => {
  const { type, uuid, range, changed, omitted, outcome, link = 'fits' } = receipt;
  return [
    ...[clockText(), partner, type.padEnd('TransactionCompleted'.length)],
    ...(uuid ? [`${uuid.slice(0, 8)}…`] : []),
    ...(changed.length > 0 ? [changed.join(', ')] : []),
    ...(range ? [`versions ${range.from} → ${range.to}`] : []),
    ...(omitted.length > 0 ? [`too large, so without ${omitted.join(', ')}`] : []),
    // In the words of the guide: what was not applied, and what does not join what came before.
    ...[...new Set([outcome, link.replaceAll('-', ' ')])].filter((one) => !usual.includes(one)),
  ]
    .join('  ')
    .trimEnd();
};

const usual = ['applied', 'passed-by', 'fits'];
