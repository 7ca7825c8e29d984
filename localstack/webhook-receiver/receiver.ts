import type { IncomingMessage, ServerResponse } from 'node:http';
import { openLoopbackServer } from '../loopback/server.ts';
import { brokenAnswer, type Condition } from './condition.ts';
import { clockText, receivedLine } from './line.ts';
import { isOfTransaction, readHeaders, readMessage } from './message.ts';
import { type AcceptedSignature, acceptedAfter, isAccepted } from './signature.ts';
import { foldedState } from './state.ts';
import { openReceiverStore, type ReceiverStore } from './store.ts';

export type ReceiverOptions = {
  port: number;
  /** Where it remembers what it has received. */
  file: string;
  /** The one environment whose messages it takes (interface 6.2). */
  source: string;
  /** The value that the operator gave a partner with its credentials. */
  signatureOf: (partner: string) => string | undefined;
  say: (line: string) => void;
  clock?: () => Date;
  /** How it does for this partner, where somebody chose that it is broken. */
  conditionOf?: (partner: string) => Condition;
};
export type Receiver = { stop: () => Promise<void> };

/** What a request comes to: its status, and a body where there is one. */
type ReceiverResponse = { status: number; body?: unknown };
type ReceiverDeps = Required<ReceiverOptions> & { store: ReceiverStore };

const bodyBytesLimit = 1024 * 1024;
const listed = 50;

/**
 * The demo partners' webhook receiver (interface 4.4): what a partner's own one has to do, in the order in which it has to.
 * `POST /webhooks/<partner>` takes a message, `GET /webhooks` lists the latest ones, and
 * `GET /webhooks/<partner>/transactions/<uuid>` shows what it has of a transaction.
 */
export const startReceiver = async (options: ReceiverOptions): Promise<Receiver> => {
  const store = openReceiverStore(options.file);
  const deps: ReceiverDeps = { clock: () => new Date(), conditionOf: () => 'well', ...options, store };
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const { status, body } = await respondTo(request, deps).catch((fault: unknown): ReceiverResponse => {
      // Not taken: with a 5xx the sender tries again. A sender that broke off hears nothing.
      if (!request.errored) deps.say(`The webhook receiver failed: ${fault}`);
      return { status: 500 };
    });
    response.writeHead(status, body === undefined ? {} : { 'Content-Type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body, null, 2));
  };
  const server = await openLoopbackServer(respond, { port: options.port });
  const stop = async () => {
    await server.stop();
    store.close();
  };
  return { stop };
};

export const receiverUrlOf = (port: number): string => `http://127.0.0.1:${port}/webhooks`;

const respondTo = async (request: IncomingMessage, deps: ReceiverDeps): Promise<ReceiverResponse> => {
  const [path = ''] = (request.url ?? '').split('?');
  if (path === '/webhooks' && request.method === 'GET') return latest(deps);
  const [, of, uuid] = /^\/webhooks\/([\w.-]+)\/transactions\/([\w-]+)$/.exec(path) ?? [];
  if (of !== undefined && uuid !== undefined && request.method === 'GET') return stateOf(of, uuid, deps);
  const [, partner] = /^\/webhooks\/([\w.-]+)$/.exec(path) ?? [];
  if (partner === undefined) return { status: 404 };
  if (request.method !== 'POST') return { status: 405 };
  const condition = deps.conditionOf(partner);
  if (condition !== 'well')
    deps.say(`${clockText(deps.clock())}  ${partner}  is broken by choice: ${condition}`);
  return (await brokenAnswer(request, condition)) ?? receive(request, partner, deps);
};

/** Signature, size, form, source: nothing of a message counts before all four are right. */
const receive = async (
  request: IncomingMessage,
  partner: string,
  deps: ReceiverDeps,
): Promise<ReceiverResponse> => {
  const refusal = refusalOf(request, partner, deps);
  if (refusal) return refusal;
  const text = await readText(request);
  if (text === undefined) return { status: 413 };
  const message = readMessage(text);
  if (!message.ok) return { status: 400, body: { error: message.reason } };
  if (message.value.source !== deps.source) return { status: 400, body: { error: 'wrong-source' } };

  learnSignature(request, { partner, isTest: !isOfTransaction(message.value.type) }, deps);
  const headers = readHeaders(request.headers);
  const facts = { at: deps.clock(), partner, message: message.value, headers };
  const { id, type, uuid } = message.value;
  const taken = isOfTransaction(type)
    ? deps.store.take({
        ...{ partner, id, type, receivedAtMs: facts.at.getTime(), body: text },
        ...(uuid !== undefined && { uuid }),
        ...(headers.range && { range: headers.range }),
      })
    : { isDuplicate: false };
  deps.say(receivedLine({ ...facts, ...taken }));
  // It is on the disk: what is to be done with it can be done after the answer, which has to be there within 5 s.
  return { status: 204 };
};

/** 401 for a wrong signature: the sender tries that again, so a value that changes meanwhile loses no message. */
const refusalOf = (
  request: IncomingMessage,
  partner: string,
  deps: ReceiverDeps,
): ReceiverResponse | undefined => {
  const accepted = acceptedBy(partner, deps);
  if (accepted.length === 0) return { status: 404 };
  if (isAccepted(signatureIn(request), accepted, deps.clock().getTime())) return undefined;
  deps.say(`${clockText(deps.clock())}  ${partner}  a message with a wrong signature was refused`);
  return { status: 401 };
};

const acceptedBy = (partner: string, { store, signatureOf }: ReceiverDeps): readonly AcceptedSignature[] => {
  const issued = signatureOf(partner);
  if (issued === undefined) return [];
  return store.signatures(partner) ?? [{ value: issued }];
};

const learnSignature = (
  request: IncomingMessage,
  { partner, isTest }: { partner: string; isTest: boolean },
  deps: ReceiverDeps,
) => {
  const accepted = acceptedBy(partner, deps);
  const announced = String(request.headers['x-webhook-signature-next'] ?? '');
  const presented = { signature: signatureIn(request), announced, isTest };
  const after = acceptedAfter(presented, accepted, deps.clock().getTime());
  if (after !== accepted) deps.store.keepSignatures(partner, after);
};

const signatureIn = ({ headers }: IncomingMessage) => String(headers['x-webhook-signature'] ?? '');

/** Undefined when it is too large: read to its end all the same, so that the sender can hear the answer. */
const readText = async (request: IncomingMessage): Promise<string | undefined> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size <= bodyBytesLimit) parts.push(part);
  }
  return size > bodyBytesLimit ? undefined : Buffer.concat(parts).toString('utf8');
};

/** For programs and tests, newest first. */
const latest = ({ store }: ReceiverDeps): ReceiverResponse => {
  const webhooks = store.latest(listed).map(({ receivedAtMs, body, ...facts }) => ({
    receivedAt: new Date(receivedAtMs).toISOString(),
    ...facts,
    ...(body !== undefined && { message: JSON.parse(body) }),
  }));
  return { status: 200, body: { webhooks } };
};

const stateOf = (partner: string, uuid: string, { store }: ReceiverDeps): ReceiverResponse => {
  const state = foldedState(store.updatesOf(partner, uuid));
  return state ? { status: 200, body: { uuid, ...state } } : { status: 404 };
};
