import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Message = { id: string; 'detail-type': string; source: string; detail: Detail };
type Detail = { uuid?: string; isDeleted?: number; ndMeta: { group: string } } & Record<string, unknown>;

/** What a receiver has of a transaction. */
type Kept = { version: number; elements: Record<string, unknown>; notes: unknown[] };

/** The decisions of a receiver; a bad one makes one of them wrongly. */
export type Decisions = {
  /** What it does before it verifies: a status ends it there. */
  first: (request: IncomingMessage, read: () => Promise<string>) => Promise<number | undefined>;
  isOurs: (value: string | undefined, accepted: readonly string[]) => boolean;
  /** A value that a verified, or unverified, message announces. */
  learns: (isVerified: boolean) => boolean;
  /** The status of a message that has to be refused before it is read. */
  refusal: number;
  isOurSource: (source: string, own: string) => boolean;
  readBody: (request: IncomingMessage) => Promise<string>;
  /** The status of a message that came before. */
  copy: number;
  knowsIds: boolean;
  isOlder: (kept: Kept, range: { from: number; to: number }) => boolean;
  /** Whether it writes down each customer that it is told of. */
  takesNotes: boolean;
  /** The status of a message that begins after what is known. */
  gap: number;
  /** The status of a type that it does not know. */
  unknownType: number;
  /** May throw, which is a 500. */
  reads: (message: Message) => void;
  movesByCompleted: boolean;
  /** Whether anything answers at all. */
  answers: (message: Message) => boolean;
  get: number;
};

export const careful: Decisions = {
  first: async () => undefined,
  isOurs: (value, accepted) => value !== undefined && accepted.includes(value),
  learns: (isVerified) => isVerified,
  refusal: 401,
  isOurSource: (source, own) => source === own,
  readBody: (request) => readUpTo(request, 1_000_000),
  copy: 204,
  knowsIds: true,
  isOlder: ({ version }, { to }) => to <= version,
  takesNotes: false,
  gap: 204,
  unknownType: 204,
  reads: () => {},
  movesByCompleted: false,
  answers: () => true,
  get: 405,
};

/** An `Error` with the status that it is answered with. */
class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super(`refused with ${status}`);
    this.status = status;
  }
}

export const readUpTo = async (request: IncomingMessage, most: number): Promise<string> => {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of request) {
    size += part.length;
    if (size <= most) parts.push(part);
  }
  if (size > most) throw new Refused(413);
  return Buffer.concat(parts).toString();
};

export type PartnerReceiver = { url: string; stateUrl: string; stop: () => Promise<void> };

/** A partner's receiver in memory: `POST /in` takes messages, `GET /state/<uuid>` shows what it has. */
export const startPartnerReceiver = async (
  { signature, source }: { signature: string; source: string },
  wrong: Partial<Decisions> = {},
): Promise<PartnerReceiver> => {
  const decisions = { ...careful, ...wrong };
  const memory = { accepted: [signature], ids: new Set<string>(), kept: new Map<string, Kept>() };
  const server = createServer(async (request, response) => {
    const status = await receive(request, { source, decisions, memory }).catch((error: unknown) =>
      error instanceof Refused ? error.status : 500,
    );
    answer(request, response, { status, memory });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  return { url: `${base}/in`, stateUrl: `${base}/state/{uuid}`, stop };
};

type Memory = { accepted: string[]; ids: Set<string>; kept: Map<string, Kept> };
type Work = { source: string; decisions: Decisions; memory: Memory };

/** 0 is silence. */
const answer = (
  request: IncomingMessage,
  response: ServerResponse,
  { status, memory }: { status: number; memory: Memory },
) => {
  const [, uuid] = /^\/state\/(.+)$/.exec(request.url ?? '') ?? [];
  if (uuid !== undefined) return void response.end(JSON.stringify(memory.kept.get(uuid) ?? null));
  if (status === 0) return;
  response.writeHead(status, status >= 300 && status < 400 ? { Location: '/elsewhere' } : {}).end();
};

const receive = async (request: IncomingMessage, work: Work): Promise<number> => {
  const { decisions, memory, source } = work;
  if (request.method !== 'POST') return decisions.get;
  const body: { text?: Promise<string> } = {};
  const read = () => {
    body.text ??= decisions.readBody(request);
    return body.text;
  };
  const early = await decisions.first(request, read);
  if (early !== undefined) return early;
  const { 'x-webhook-signature': value, 'x-webhook-signature-next': next } = request.headers;
  const isVerified = decisions.isOurs(value?.toString(), memory.accepted);
  if (next && decisions.learns(isVerified)) memory.accepted.push(next.toString());
  if (!isVerified) return decisions.refusal;
  const message = JSON.parse(await read()) as Message;
  if (!decisions.isOurSource(message.source, source)) return 400;
  if (!decisions.answers(message)) return 0;
  decisions.reads(message);
  if (decisions.knowsIds && memory.ids.has(message.id)) return decisions.copy;
  memory.ids.add(message.id);
  return apply(message, request.headers, work);
};

const apply = (message: Message, headers: IncomingHttpHeaders, { decisions, memory }: Work): number => {
  const { 'detail-type': type, detail } = message;
  if (type !== 'TransactionUpdated' && type !== 'TransactionCompleted')
    return type === 'WebhookTest' ? 204 : decisions.unknownType;
  const { uuid = '', ...elements } = detail;
  const kept = memory.kept.get(uuid) ?? { version: 0, elements: {}, notes: [] };
  const range = {
    from: Number(headers['x-transaction-from-version']),
    to: Number(headers['x-transaction-version']),
  };
  if (type === 'TransactionCompleted') {
    if (decisions.movesByCompleted) memory.kept.set(uuid, { ...kept, version: range.to });
    return 204;
  }
  if (decisions.isOlder(kept, range)) return 204;
  if (range.from > kept.version && decisions.gap !== 204) return decisions.gap;
  const notes = decisions.takesNotes ? [...kept.notes, detail.customer] : [];
  memory.kept.set(uuid, { version: range.to, elements: { ...kept.elements, ...elements }, notes });
  return 204;
};

/** Parses a body before it verifies, whoever sent it; one that it cannot hold is a fault. */
export const readAll: Decisions['first'] = async (_request, read) => {
  JSON.parse(await read().catch(() => ''));
  return undefined;
};

/** Reads each request to its end before it looks at the next. */
export const oneAtATime = (): Decisions['first'] => {
  const turn: { last: Promise<unknown> } = { last: Promise.resolve() };
  return async (_request, read) => {
    turn.last = turn.last.then(read).catch(() => {});
    await turn.last;
    return undefined;
  };
};

/** Refuses what comes while so many are being worked on. */
export const atMost = (most: number): Decisions['first'] => {
  const working = { count: 0 };
  return async (request) => {
    request.once('close', () => {
      working.count -= 1;
    });
    working.count += 1;
    return working.count > most ? 503 : undefined;
  };
};
