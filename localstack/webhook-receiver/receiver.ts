import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../../functions/shared/runtime/clock.ts';
import {
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
  /** 0 for a free port. */
  port: number;
  /** The file with the received messages. */
  file: string;
  /** The only `source` of messages that it accepts (interface 6.2). */
  source: string;
  /** The signature that a partner got with its credentials. */
  signatureOf: (partner: string) => string | undefined;
  say: (line: string) => void;
  clock: Clock;
  /** The condition of this partner's receiver. */
  conditionOf: (partner: string) => Condition;
  /** A handler of other requests at this port; returns whether it handles the request. */
  beside?: (request: IncomingMessage, response: ServerResponse) => boolean;
};
export type DemoReceiver = { port: number; stop: () => Promise<void> };
type ReceiverDeps = ReceiverOptions & { records: ReceiverRecords };

/**
 * Starts the demo partners' webhook receiver (interface 4.4), which is the partner kit's, with an address for each partner.
 * `POST /webhooks/<partner>` receives a message, `GET /webhooks` lists the latest ones, and
 * `GET /webhooks/<partner>/transactions/<uuid>` shows the partner's copy of a transaction.
 */
export const startReceiver = async (options: ReceiverOptions): Promise<DemoReceiver> => {
  const deps = { ...options, records: openReceiverRecords(options.file) };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    if (options.beside?.(request, response)) return;
    await respondTo(request, response, deps).catch((fault: unknown) => {
      options.say(`The webhook receiver failed: ${fault}`);
      // The sender retries after a 5xx.
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
    deps.say(`${clockText(deps.clock())}  ${partner}  simulates a fault: ${condition}`);
    return response.writeHead(await brokenStatus(request, condition)).end();
  }
  return nodeHandler(receiverOf({ partner, issued, records }, deps))(request, response);
};

const show = (response: ServerResponse, body: object | undefined) => {
  if (body === undefined) return response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': 'application/json' });
  return response.end(JSON.stringify(body, null, 2));
};

type Of = { partner: string; issued: string; records: PartnerRecords };

const receiverOf = ({ partner, issued, records }: Of, deps: ReceiverDeps): Receiver => {
  const receiver = createReceiver<Keep>({
    source: deps.source,
    signatures: issued,
    store: records.store,
    apply: (change, keep) => {
      if (change.kind !== 'completed') keep('state', change.uuid, stateAfter(change, records));
    },
    onFault: (fault) => deps.say(`The webhook receiver failed: ${fault}`),
  });
  const receive: Receiver['receive'] = async (incoming) => {
    const verdict = await receiver.receive(incoming);
    report(partner, verdict, deps);
    return verdict;
  };
  return { ...receiver, receive };
};

const report = (partner: string, { status, receipt }: Verdict, { say, clock, records }: ReceiverDeps) => {
  const receivedAt = clock();
  if (status === 401)
    say(`${clockText(receivedAt)}  ${partner}  a message with a wrong signature was refused`);
  if (receipt === undefined) return;
  if (receipt.outcome !== 'passed-by') records.list({ partner, receivedAt, receipt });
  say(receivedLine(receivedAt, partner, receipt));
};

/** Null for a deleted transaction, of which only the version is kept, in the chain. */
const stateAfter = (change: Change, { find }: PartnerRecords): object | null =>
  change.kind === 'update' ? { ...find<object>('state', change.uuid), ...change.detail } : null;

const stateOf = (uuid: string, { find }: PartnerRecords): object | undefined => {
  const state = find<object | null>('state', uuid);
  return state ? { version: find<Chain>('chain', uuid)?.known, ...state } : undefined;
};
