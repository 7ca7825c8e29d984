import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
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
import { conditions, type DemoReceiver } from './receiver.ts';
import type { StackFile } from './stack-file.ts';
import type { EmbeddedStage } from './stage.ts';
import { region } from './wiring.ts';

/** Seconds: an hour, past the bus's last try, past the days of retention on this stage. A dormancy is added to them. */
const usualMoves = [3_600, 90_000, 2_678_400];

const action = z.discriminatedUnion('do', [
  z.strictObject({ do: z.enum(['change', 'pay', 'delete']), uuid: z.string().max(50), partner: z.string() }),
  z.strictObject({ do: z.literal('replay'), event: z.string().max(50), partner: z.string() }),
  z.strictObject({ do: z.literal('checkout'), as: z.enum(['nobody', ...demoUsers]) }),
  z.strictObject({ do: z.literal('clock'), seconds: z.int().positive() }),
  z.strictObject({ do: z.literal('receiver'), partner: z.string(), condition: z.enum(conditions) }),
]);

const files = { '/': 'page.html', '/stage.js': 'page.js', '/stage.css': 'page.css' } as const;
const types = { html: 'text/html', js: 'text/javascript', css: 'text/css', json: 'application/json' };
const headers = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'",
};

type Served = { stack: StackFile; stage: EmbeddedStage };
type Shown = {
  atMs: number;
  partner: string;
  type: string;
  uuid: string;
  event: string;
  said: string;
  failed: boolean;
};

/**
 * The stage's page (RUN-10). It shows what the public APIs, the bus and the receiver say, and of the functions' tables only what
 * is due. Its buttons call the public APIs. The loopback guard keeps pages of other origins away.
 */
export const openPage = (deps: { clock: StageClock; receiver: DemoReceiver | undefined }) => {
  let served: (Served & { clients: Map<string, Client>; due: () => Promise<object[]> }) | undefined;
  const attempts: Shown[] = [];
  /** Partners whose last attempt failed. */
  const failing = new Set<string>();

  const nameOf = (clientId: unknown) =>
    served?.stack.partners.find((partner) => partner.clientId === clientId)?.name ?? String(clientId);

  const state = async (search: string) => {
    if (!served) return {};
    const { clients, due, stack } = served;
    const found = await Promise.all([...clients].map(([name, client]) => latestOf(name, client, search)));
    return {
      nowMs: Date.now(),
      aheadMs: deps.clock.aheadMs(),
      dormancySeconds: Number(stack.operator.variables.DORMANCY_SECONDS),
      users: demoUsers,
      conditions,
      moves: [Number(stack.operator.variables.DORMANCY_SECONDS), ...usualMoves],
      partners: stack.partners.map(({ name }) => ({
        name,
        condition: deps.receiver?.conditionOf(name) ?? 'healthy',
        isFailing: failing.has(name),
      })),
      transactions: mergedRows(found.flat()),
      due: await due(),
      deliveries: attempts,
    };
  };

  /** Performs the action of a button. The answer is a sentence for the person. */
  const act = async (sent: string): Promise<string> => {
    const parsed = action.safeParse(JSON.parse(sent));
    if (!parsed.success || !served) return 'The stage does not know this action.';
    const { data } = parsed;
    if (data.do === 'clock') {
      deps.clock.moveOn(data.seconds * 1000);
      return `It is ${new Date().toISOString()} in the stage.`;
    }
    if (data.do === 'receiver') {
      deps.receiver?.choose(data.partner, data.condition);
      return `The receiver of ${data.partner}: ${data.condition}.`;
    }
    if (data.do === 'checkout') return checkOut(data.as, served.stack);
    const client = served.clients.get(data.partner);
    if (!client) return 'No demo partner may do this.';
    if (data.do === 'replay') {
      await client.events.replay(data.event);
      return 'The event is sent again.';
    }
    if (data.do === 'pay') {
      await client.payments.create({ transaction: data.uuid, type: 1, value: '250.00', status: 1 });
      return 'It is paid and complete.';
    }
    const mobile = `07700 900${String(randomInt(1_000)).padStart(3, '0')}`;
    await client.transactions.update(
      data.uuid,
      data.do === 'delete' ? { isDeleted: 1 } : { customer: { mobile } },
    );
    return data.do === 'delete' ? 'It is deleted.' : `Its mobile is ${mobile} now.`;
  };

  const answer = async (
    request: IncomingMessage,
    response: ServerResponse,
    { pathname, searchParams }: URL,
  ) => {
    const send = (type: keyof typeof types, body: string) =>
      response.writeHead(200, { ...headers, 'Content-Type': `${types[type]}; charset=utf-8` }).end(body);
    if (request.method === 'POST') {
      const said = await act(await text(request)).catch((fault: unknown) =>
        isTransactionsError(fault) ? fault.message : `It failed: ${fault}`,
      );
      return send('json', JSON.stringify({ said }));
    }
    const file = Object.entries(files).find(([path]) => path === pathname)?.[1];
    if (!file) return send('json', JSON.stringify(await state(searchParams.get('search') ?? '')));
    return send(file.split('.')[1] as 'html', readFileSync(join(import.meta.dirname, 'page', file), 'utf8'));
  };

  return {
    /** Answers requests for the page; returns false for any other. */
    handle: (request: IncomingMessage, response: ServerResponse): boolean => {
      const url = new URL(request.url ?? '/', 'http://stage');
      const isGet = request.method === 'GET' && (url.pathname in files || url.pathname === '/stage.json');
      if (!isGet && !(request.method === 'POST' && url.pathname === '/stage.json')) return false;
      answer(request, response, url).catch(() => response.destroy());
      return true;
    },
    note: ({ event, attempt, startedMs, result, next }: Attempt) => {
      const { to, message } = (event.detail ?? {}) as { to?: string; message?: Record<string, unknown> };
      const partner = nameOf(to);
      const uuid = (message?.detail as { uuid?: string } | undefined)?.uuid ?? '';
      const answered = 'status' in result ? `status ${result.status}` : result.error;
      const after =
        next.kind === 'retry' ? `again at ${new Date(next.atMs).toISOString().slice(11, 19)}` : next.kind;
      if (next.kind === 'delivered') failing.delete(partner);
      else failing.add(partner);
      attempts.unshift({
        ...{ atMs: startedMs, partner, uuid, type: String(message?.['detail-type']) },
        event: String(message?.id),
        said: `attempt ${attempt}: ${answered}, ${after}`,
        failed: next.kind !== 'delivered',
      });
      attempts.splice(30);
    },
    /** Shows this stage from now on. */
    serve: ({ stack, stage }: Served) => {
      const { baseUrl, authUrl } = stack;
      const clients = stack.partners.map(({ name, clientId, clientSecret }) => {
        const client = createClient({
          baseUrl,
          authUrl,
          clientId,
          clientSecret,
          clock: Date.now,
          attempts: 1,
        });
        return [name, client] as const;
      });
      served = { stack, stage, clients: new Map(clients), due: dueRows(stack) };
    },
  };
};

type Row = { uuid: string; partners: string[]; status: number; who: string; what: string; changed?: string };

const latest = 10;

/** The partner's latest transactions, newest first, or those with this uuid or vehicle. */
const latestOf = async (name: string, client: Client, search: string): Promise<Row[]> => {
  const query = { perPage: latest, expand: ['customer', 'vehicle'] as const };
  const list = async () => {
    if (search !== '') {
      const filters = [
        { uuid: search },
        { identifiers: { ndstockid: search } },
        { identifiers: { salesmasterid: search } },
      ];
      return (
        await Promise.all(filters.map((filter) => client.transactions.list({ ...query, filter })))
      ).flatMap(({ data }) => data);
    }
    const { _meta, data } = await client.transactions.list(query);
    if (_meta.pageCount <= 1) return data;
    const last = await client.transactions.list({ ...query, page: _meta.pageCount });
    const before = await client.transactions.list({ ...query, page: _meta.pageCount - 1 });
    return [...before.data, ...last.data];
  };
  const all = await list().catch(() => []);
  return all
    .slice(-latest)
    .toReversed()
    .map((one) => {
      const { customer, vehicle } = one as unknown as Record<string, Record<string, unknown> | null>;
      const words = (...values: unknown[]) => values.filter((value) => typeof value === 'string').join(' ');
      return {
        uuid: one.uuid ?? '',
        partners: [name],
        status: one.status ?? 0,
        who: words(customer?.firstName, customer?.lastName),
        what: words(vehicle?.make, vehicle?.model),
      };
    });
};

/** One row for a transaction that several partners see. */
const mergedRows = (rows: Row[]): Row[] => {
  const merged = new Map<string, Row>();
  for (const row of rows) {
    const known = merged.get(row.uuid);
    merged.set(row.uuid, known ? { ...known, partners: [...known.partners, ...row.partners] } : row);
  }
  return [...merged.values()];
};

/** Reads which transactions wait for their event, and until when; there are 17 shards. */
const dueRows = ({ operator }: StackFile) => {
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  const documents = createDocumentClient({ endpoint: operator.endpoints.dynamodb, region, credentials });
  return async () => {
    const shards = Array.from({ length: 17 }, (_, shard) =>
      documents.send(
        new QueryCommand({
          TableName: operator.variables.DEBOUNCE_TABLE,
          IndexName: 'due',
          KeyConditionExpression: 'dueShard = :shard',
          ExpressionAttributeValues: { ':shard': String(shard) },
          Limit: 5,
        }),
      ),
    );
    return (await Promise.all(shards))
      .flatMap(({ Items = [] }) =>
        Items.map(({ pk, dueAtMs }) => ({ uuid: String(pk).split('#')[1], dueAtMs })),
      )
      .toSorted((one, other) => one.dueAtMs - other.dueAtMs)
      .slice(0, latest);
  };
};

/** What a checkout page of the default storefront sends, with a device of its own; a user signs in. */
const checkOut = async (as: string, { baseUrl, storefronts }: StackFile): Promise<string> => {
  const shop = storefronts.find((storefront) => storefront.default === true) as
    | { origins: string[]; identityProvider?: { issuer: string } }
    | undefined;
  if (!shop) return 'There is no demo storefront.';
  const Origin = shop.origins[0] ?? '';
  const entered = {
    customer: { firstName: 'Robin', lastName: `Visitor ${randomInt(1_000)}` },
    vehicle: { make: 'Volkswagen', model: 'Polo' },
  };
  const json = { Origin, 'Content-Type': 'application/json' };
  const made = await fetch(`${baseUrl}/api/transaction`, {
    method: 'POST',
    headers: json,
    body: JSON.stringify(entered),
  });
  if (as === 'nobody' || !made.ok) return `POST /api/transaction answered ${made.status}.`;
  const issued = await fetch(`${shop.identityProvider?.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({ username: as }),
  });
  const exchange = new URLSearchParams({
    grant_type: tokenExchangeGrant,
    ...{
      subject_token: ((await issued.json()) as { id_token: string }).id_token,
      subject_token_type: idTokenType,
    },
    ...{ actor_token: made.headers.get('authentication-token') ?? '', actor_token_type: accessTokenType },
  });
  const signedIn = await fetch(`${baseUrl}/api/session`, {
    method: 'POST',
    headers: { Origin },
    body: exchange,
  });
  return `${as} signed in on a new device: POST /api/session answered ${signedIn.status}.`;
};
