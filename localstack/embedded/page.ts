import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { z } from 'zod';
import { createDocumentClient } from '../../functions/shared/store/dynamodb/client.ts';
import {
  accessTokenType,
  idTokenType,
  tokenExchangeGrant,
} from '../../functions/v1-transaction/token-exchange.ts';
import { type Client, createClient, isTransactionsError } from '../../partner-kit/src/index.ts';
import type { Attempt } from './aws/delivery.ts';
import type { StageClock } from './clock.ts';
import { demoUsers } from './demo/identity-provider.ts';
import { connectionTo } from './engine.ts';
import { conditions, type DemoReceiver } from './receiver.ts';
import type { StackFile } from './stack-file.ts';

const action = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['change', 'pay', 'delete']), uuid: z.string(), partner: z.string() }),
  z.strictObject({ do: z.literal('replay'), event: z.string(), partner: z.string() }),
  z.strictObject({ do: z.literal('checkout'), as: z.enum(['nobody', ...demoUsers]) }),
  z.strictObject({ do: z.literal('clock'), seconds: z.int().positive() }),
  z.strictObject({ do: z.literal('receiver'), partner: z.string(), condition: z.enum(conditions) }),
]);

const files: Record<string, string> = { '/': 'page.html', '/stage.js': 'page.js', '/stage.css': 'page.css' };
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };
const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'",
};

/** The most listed deliveries, due transactions, and transactions of a partner. */
const listed = { deliveries: 30, due: 10, transactions: 6 };

/** Seconds, beside the dormancy: an hour, past the bus's last try, past the days of retention on this stage. */
const usualMoves = [3_600, 90_000, 2_678_400];

type Shown = Record<'partner' | 'type' | 'uuid' | 'event' | 'said', string> & {
  atMs: number;
  failed: boolean;
};

/**
 * The stage's page (RUN-10). It shows what the public APIs, the bus and the receiver say, and of the functions' tables only what
 * is due. Its buttons call the public APIs. The loopback guard keeps pages of other origins away.
 */
export const openPage = ({ clock, receiver }: { clock: StageClock; receiver: DemoReceiver | undefined }) => {
  let stage: { stack: StackFile; clients: Map<string, Client>; due: () => Promise<object[]> } | undefined;
  /** The latest attempt of each, the newest first. They outlive a reload of the page, not the stage. */
  const deliveries: Shown[] = [];
  /** Partners whose last attempt failed. */
  const failing = new Set<string>();

  const state = async (search: string) => {
    if (!stage) return {};
    const { clients, due, stack } = stage;
    const dormancySeconds = Number(stack.operator.variables.DORMANCY_SECONDS);
    const found = await Promise.all([...clients].map(([name, client]) => latestOf(name, client, search)));
    return {
      ...{ nowMs: Date.now(), aheadMs: clock.aheadMs(), dormancySeconds, conditions, deliveries },
      users: demoUsers,
      moves: [dormancySeconds, ...usualMoves],
      partners: stack.partners.map(({ name }) => ({
        name,
        condition: receiver?.conditionOf(name),
        isFailing: failing.has(name),
      })),
      transactions: merged(found),
      due: await due(),
    };
  };

  /** Performs the action of a button. The answer is a sentence for the person. */
  const act = async (sent: string): Promise<string> => {
    const { success, data } = action.safeParse(JSON.parse(sent));
    if (!success || !stage) return 'The stage does not know this action.';
    if (data.do === 'clock') {
      clock.moveOn(data.seconds * 1000);
      return `It is ${new Date().toISOString()} in the stage.`;
    }
    if (data.do === 'receiver') {
      receiver?.choose(data.partner, data.condition);
      return `The receiver of ${data.partner}: ${data.condition}.`;
    }
    if (data.do === 'checkout') return checkOut(data.as, stage.stack);
    const client = stage.clients.get(data.partner);
    if (!client) return 'Only a demo partner may do this here.';
    if (data.do === 'replay') {
      await client.events.replay(data.event);
      return 'The event is sent again.';
    }
    if (data.do === 'pay') {
      await client.payments.create({ transaction: data.uuid, type: 1, value: '250.00', status: 1 });
      return 'It is paid and complete.';
    }
    const mobile = `07700 900${String(randomInt(1_000)).padStart(3, '0')}`;
    const change = data.do === 'delete' ? { isDeleted: 1 as const } : { customer: { mobile } };
    await client.transactions.update(data.uuid, change);
    return data.do === 'delete' ? 'It is deleted.' : `Its mobile is ${mobile} now.`;
  };

  const answer = async (request: IncomingMessage, response: ServerResponse, url: URL) => {
    const send = (type: string, body: string) =>
      response.writeHead(200, { ...headers, 'Content-Type': `${type}; charset=utf-8` }).end(body);
    const file = files[url.pathname];
    if (file)
      return send(types[extname(file)] ?? '', readFileSync(join(import.meta.dirname, 'page', file), 'utf8'));
    if (request.method === 'GET')
      return send('application/json', JSON.stringify(await state(url.searchParams.get('search') ?? '')));
    const said = await act(await text(request)).catch((fault: unknown) =>
      isTransactionsError(fault) ? fault.message : `It failed: ${fault}`,
    );
    return send('application/json', JSON.stringify({ said }));
  };

  return {
    /** Answers requests for the page; returns false for any other. */
    handle: (request: IncomingMessage, response: ServerResponse): boolean => {
      const url = new URL(request.url ?? '/', 'http://stage');
      const isOurs =
        request.method === 'GET'
          ? url.pathname in files || url.pathname === '/stage.json'
          : request.method === 'POST' && url.pathname === '/stage.json';
      if (isOurs) answer(request, response, url).catch(() => response.destroy());
      return isOurs;
    },
    note: ({ event, attempt, startedMs, result, next }: Attempt) => {
      const { to, message } = (event.detail ?? {}) as { to?: string; message?: Record<string, unknown> };
      const partner = stage?.stack.partners.find(({ clientId }) => clientId === to)?.name ?? String(to);
      const failed = next.kind !== 'delivered';
      if (failed) failing.add(partner);
      else failing.delete(partner);
      const answered = 'status' in result ? `status ${result.status}` : result.error;
      const after = next.kind === 'retry' ? `again at ${timeText(next.atMs)}` : next.kind;
      const id = String(message?.id);
      const known = deliveries.findIndex((one) => one.event === id && one.partner === partner);
      if (known >= 0) deliveries.splice(known, 1);
      deliveries.unshift({
        ...{ atMs: startedMs, partner, failed, said: `attempt ${attempt}: ${answered}, ${after}` },
        uuid: String((message?.detail as { uuid?: string } | undefined)?.uuid ?? ''),
        ...{ type: String(message?.['detail-type']), event: id },
      });
      deliveries.splice(listed.deliveries);
    },
    /** Shows this stage from now on. */
    serve: (stack: StackFile) => {
      const { baseUrl, authUrl, operator } = stack;
      const clients = stack.partners.map(({ name, clientId, clientSecret }) => {
        const own = { baseUrl, authUrl, clientId, clientSecret };
        return [name, createClient({ ...own, clock: Date.now, attempts: 1 })] as const;
      });
      stage = { stack, clients: new Map(clients), due: dueIn(operator) };
    },
  };
};

const timeText = (ms: number) => new Date(ms).toISOString().slice(11, 19);

type Row = Record<'uuid' | 'who' | 'what', string> & { partners: string[]; isComplete: boolean };

/** The partner's latest transactions, newest first, or those with this uuid, stock id or sales id. */
const latestOf = async (name: string, client: Client, search: string): Promise<Row[]> => {
  const page = { perPage: listed.transactions, expand: ['customer', 'vehicle'] as const };
  const list = async () => {
    if (search !== '') {
      const { data } = await client.transactions.list({ ...page, filter: { uuid: search } });
      const ids = (['ndstockid', 'salesmasterid'] as const).map((id) => ({ identifiers: { [id]: search } }));
      const found = await Promise.all(ids.map((filter) => client.transactions.list({ ...page, filter })));
      return [...data, ...found.flatMap((one) => one.data)];
    }
    const { _meta: meta, data } = await client.transactions.list(page);
    if (meta.pageCount <= 1) return data;
    // The last page may have one row only.
    const ends = [meta.pageCount - 1, meta.pageCount].map((number) =>
      client.transactions.list({ ...page, page: number }),
    );
    return (await Promise.all(ends)).flatMap((one) => one.data);
  };
  // A partner whose secret was rotated reads nothing here.
  const all = await list().catch(() => []);
  const words = (...values: unknown[]) => values.filter((value) => typeof value === 'string').join(' ');
  return all.slice(-listed.transactions).map((one) => {
    const { customer, vehicle } = one as unknown as Record<string, Record<string, unknown> | null>;
    return {
      ...{ uuid: one.uuid ?? '', partners: [name], isComplete: one.status === 1 },
      who: words(customer?.firstName, customer?.lastName),
      what: words(vehicle?.make, vehicle?.model),
    };
  });
};

/** The partners' rows in turn, newest first, and one row for a transaction that several see. */
const merged = (ofPartners: Row[][]): Row[] => {
  const rows = new Map<string, Row>();
  for (let back = 1; back <= listed.transactions; back += 1)
    for (const row of ofPartners.flatMap((own) => own.at(-back) ?? [])) {
      const { partners = [] } = rows.get(row.uuid) ?? {};
      rows.set(row.uuid, { ...row, partners: [...new Set([...partners, ...row.partners])] });
    }
  return [...rows.values()];
};

/** Reads which transactions wait for their event, and until when. */
const dueIn = ({ endpoints, variables }: StackFile['operator']) => {
  const documents = createDocumentClient(connectionTo(endpoints.dynamodb));
  const scan = new ScanCommand({ TableName: variables.DEBOUNCE_TABLE, IndexName: 'due' });
  return async () =>
    ((await documents.send(scan)).Items ?? [])
      .map(({ pk, dueAtMs }) => ({ uuid: String(pk).split('#')[1], dueAtMs: Number(dueAtMs) }))
      .toSorted((one, other) => one.dueAtMs - other.dueAtMs)
      .slice(0, listed.due);
};

/** What a checkout page of the default storefront sends, with a device of its own; a user signs in. */
const checkOut = async (as: string, { baseUrl, storefronts }: StackFile): Promise<string> => {
  const shop = storefronts.find((storefront) => storefront.default === true) as
    | { origins: string[]; identityProvider: { issuer: string } }
    | undefined;
  if (!shop) return 'There is no demo storefront.';
  const post = (url: string, body: URLSearchParams | string, type?: string) =>
    fetch(url, {
      ...{ method: 'POST', body },
      headers: { Origin: shop.origins[0] ?? '', ...(type && { 'Content-Type': type }) },
    });
  const customer = { firstName: 'Robin', lastName: `Visitor ${randomInt(1_000)}` };
  const entered = JSON.stringify({ customer, vehicle: { make: 'Volkswagen', model: 'Polo' } });
  const made = await post(`${baseUrl}/api/transaction`, entered, 'application/json');
  if (as === 'nobody' || !made.ok) return `POST /api/transaction answered ${made.status}.`;
  const issued = await post(`${shop.identityProvider.issuer}/token`, new URLSearchParams({ username: as }));
  const exchange = new URLSearchParams({
    ...{ grant_type: tokenExchangeGrant, subject_token_type: idTokenType, actor_token_type: accessTokenType },
    subject_token: ((await issued.json()) as { id_token: string }).id_token,
    actor_token: made.headers.get('authentication-token') ?? '',
  });
  const signedIn = await post(`${baseUrl}/api/session`, exchange);
  return `${as} signed in on a new device: POST /api/session answered ${signedIn.status}.`;
};
