import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import {
  type AcceptedSignature,
  type Chain,
  type Change,
  createReceiver,
  nodeHandler,
  type Receiver,
  type Verdict,
} from '../../partner-kit/src/index.ts';
import { openLoopbackServer } from '../loopback/server.ts';
import { brokenStatus, type Condition } from './condition.ts';
import { clockText, receivedLine } from './line.ts';
import { type Keep, openReceiverRecords, type PartnerRecords, type ReceiverRecords } from './store.ts';

export type ReceiverOptions = {
  /** 0 takes a free one. */
  port: number;
  /** Where it remembers what it has received. */
  file: string;
  /** The one environment whose messages it takes (interface 6.2). */
  source: string;
  /** The value that the operator gave a partner with its credentials. */
  signatureOf: (partner: string) => string | undefined;
  say: (line: string) => void;
  clock: Clock;
  /** How it does for this partner. */
  conditionOf: (partner: string) => Condition;
  /** What else stands at this port; answers whether the request was its own. */
  beside?: (request: IncomingMessage, response: ServerResponse) => boolean;
};
/** Where it listens, and how it ends. */
export type DemoReceiver = { port: number; stop: () => Promise<void> };
type ReceiverDeps = ReceiverOptions & { records: ReceiverRecords };

/**
 * The demo partners' webhook receiver (interface 4.4): the partner kit's, behind one address for each partner.
 * `POST /webhooks/<partner>` takes a message, `GET /webhooks` lists the latest ones, and
 * `GET /webhooks/<partner>/transactions/<uuid>` shows what it has of a transaction.
 */
export const startReceiver = async (options: ReceiverOptions): Promise<DemoReceiver> => {
  const deps = { ...options, records: openReceiverRecords(options.file) };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (options.beside?.(request, response)) return;
    await respondTo(request, response, deps).catch((fault: unknown) => {
      options.say(`The webhook receiver failed: ${fault}`);
      // With a 5xx the sender tries again.
      response.writeHead(500).end();
    });
  };
  const server = await openLoopbackServer(respond, { port: options.port });
  const stop = async () => {
    await server.stop();
    deps.records.close();
  };
  return { port: server.port, stop };
};

export const receiverUrlOf = (port: number): string => `http://127.0.0.1:${port}/webhooks`;

const respondTo = async (request: IncomingMessage, response: ServerResponse, deps: ReceiverDeps) => {
  const [path = ''] = (request.url ?? '').split('?');
  const isGet = request.method === 'GET';
  if (isGet && path === '/webhooks') return show(response, { webhooks: deps.records.latest() });
  const [, partner = '', uuid] = /^\/webhooks\/([\w.-]+)(?:\/transactions\/([\w-]+))?$/.exec(path) ?? [];
  const issued = deps.signatureOf(partner);
  if (issued === undefined) return show(response, undefined);
  const records = deps.records.of(partner);
  if (uuid !== undefined) return show(response, isGet ? stateOf(uuid, records) : undefined);
  const condition = deps.conditionOf(partner);
  if (condition !== 'healthy') {
    deps.say(`${clockText(deps.clock())}  ${partner}  is broken by choice: ${condition}`);
    return response.writeHead(await brokenStatus(request, condition)).end();
  }
  return nodeHandler(receiverOf({ partner, issued, records }, deps))(request, response);
};

/** For programs and tests. */
const show = (response: ServerResponse, body: object | undefined) => {
  if (body === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': 'application/json' });
  return response.end(JSON.stringify(body, null, 2));
};

type Of = { partner: string; issued: string; records: PartnerRecords };

const receiverOf = ({ partner, issued, records }: Of, deps: ReceiverDeps): Receiver => {
  const receiver = createReceiver<Keep>({
    source: deps.source,
    signatures: {
      accepted: () => records.find<AcceptedSignature[]>('signatures', '') ?? [{ value: issued }],
      keep: (accepted) => records.keep('signatures', '', accepted),
    },
    learnsNext: true,
    onLearnt: () => {},
    store: records.store,
    apply: (change, keep) => {
      if (change.kind !== 'completed') keep('state', change.uuid, stateAfter(change, records));
    },
    onFault: (fault) => deps.say(`The webhook receiver failed: ${fault}`),
  });
  const receive: Receiver['receive'] = async (incoming) => {
    const verdict = await receiver.receive(incoming);
    note(partner, verdict, deps);
    return verdict;
  };
  return { ...receiver, receive };
};

const note = (partner: string, { status, receipt }: Verdict, { say, clock, records }: ReceiverDeps) => {
  const receivedAt = clock();
  if (status === 401)
    say(`${clockText(receivedAt)}  ${partner}  a message with a wrong signature was refused`);
  if (receipt === undefined) return;
  if (receipt.outcome !== 'passed-by') records.list({ partner, receivedAt, receipt });
  say(receivedLine(receivedAt, partner, receipt));
};

/** Of a deleted transaction nothing is kept but its version. */
const stateAfter = (change: Change, { find }: PartnerRecords): object | null =>
  change.kind === 'update' ? { ...find<object>('state', change.uuid), ...change.detail } : null;

const stateOf = (uuid: string, { find }: PartnerRecords): object | undefined => {
  const state = find<object | null>('state', uuid);
  return state ? { version: find<Chain>('chain', uuid)?.known, ...state } : undefined;
};
