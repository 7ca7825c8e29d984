import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { createDocumentClient } from '../../functions/shared/store/dynamodb/client.ts';
import {
  accessTokenType,
  idTokenType,
  tokenExchangeGrant,
} from '../../functions/v1-transaction/token-exchange.ts';
import { type Client, createClient } from '../../partner-kit/src/index.ts';
import { type Attempt, saidOf } from './aws/delivery.ts';
import { type StageClock, shortSpan } from './clock.ts';
import { demoUsers } from './demo/identity-provider.ts';
import { connectionTo } from './engine.ts';
import { type Condition, conditions, type DemoReceiver } from './receiver.ts';
import type { StackFile } from './stack-file.ts';

/** What a button of the page sends. */
type Action = Record<'do' | 'uuid' | 'partner' | 'as', string> & {
  condition: Condition;
  seconds: number;
};

const types: Record<string, string> = { '/': 'html', '/page.js': 'javascript', '/page.css': 'css' };
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; frame-ancestors 'none'";

/** The most listed deliveries, due transactions, and transactions of a partner. */
const listed = { deliveries: 30, due: 10, transactions: 6 };

type PageOptions = { clock: StageClock; receiver: DemoReceiver | undefined; stack: StackFile };
/**
 * The stage's page (RUN-10). It shows what the public APIs, the bus and the receiver say, and of the functions' tables only what
 * is due. Its buttons call the public APIs. The loopback guard keeps pages of other origins away.
 */
export const openPage = ({ clock, receiver, stack }: PageOptions) => {
  const { baseUrl, authUrl, partners, operator } = stack;
  const clients = new Map(
    partners.map(({ name, clientId, clientSecret }) => {
      const own = { baseUrl, authUrl, clientId, clientSecret };
      return [name, createClient({ ...own, clock: Date.now, attempts: 1 })] as const;
    }),
  );
  const due = dueIn(operator);
  const rests = Number(operator.variables.DORMANCY_SECONDS);
  // An hour, past the bus's last try, past the days of retention on this stage.
  const moves = [rests, 3_600, 90_000, 2_678_400].map((seconds) => [seconds, shortSpan(seconds * 1000)]);
  /** The latest attempt of each event to a partner, the newest last. They outlive a reload of the page, not the stage. */
  const attempts = new Map<string, { partner: string; failed: boolean }>();

  const state = async (search: string) => {
    const found = await Promise.all([...clients].map(([name, client]) => latestOf(name, client, search)));
    const ahead = clock.aheadMs() > 0 ? `, ${shortSpan(clock.aheadMs())} ahead` : '';
    const deliveries = [...attempts.values()].toReversed();
    return {
      clock: `${timeText(Date.now())} UTC${ahead}`,
      rest: `On this start, an event leaves ${shortSpan(rests * 1000)} after the last change; a completion leaves at once.`,
      ...{ users: demoUsers, moves },
      partners: partners.map(({ name }) => ({
        ...{ name, condition: receiver?.conditionOf(name), conditions },
        isFailing: deliveries.find(({ partner }) => partner === name)?.failed === true,
      })),
      ...{ transactions: found.flat(), deliveries: deliveries.slice(0, listed.deliveries), due: await due() },
    };
  };

  /** Performs the action of a button. The answer is a sentence for the person. */
  const act = async (wanted: Action): Promise<string> => {
    if (wanted.do === 'checkout') return checkOut(wanted.as, stack);
    if (wanted.do === 'clock') {
      clock.moveOn(wanted.seconds * 1000);
      return 'The clock was moved.';
    }
    const client = clients.get(wanted.partner);
    if (!client) return 'Only a demo partner may do this here.';
    if (wanted.do === 'receiver') receiver?.choose(wanted.partner, wanted.condition);
    else if (wanted.do === 'replay')
      await client.events.replay({ since: new Date(0), transaction: wanted.uuid });
    else if (wanted.do === 'pay')
      await client.payments.create({ transaction: wanted.uuid, type: 1, value: '250.00', status: 1 });
    else if (wanted.do === 'delete') await client.transactions.update(wanted.uuid, { isDeleted: 1 });
    else {
      const customer = { mobile: `07700 900${randomInt(100, 1_000)}` };
      await client.transactions.update(wanted.uuid, { customer });
    }
    return `Done: ${wanted.do}.`;
  };

  const answerTo = async (request: IncomingMessage, search: string): Promise<object> => {
    try {
      if (request.method === 'GET') return await state(search);
      return { said: await act(JSON.parse(await text(request))) };
    } catch (fault) {
      return { said: String(fault) };
    }
  };

  return {
    /** Answers requests for the page; returns false for any other. */
    handle: (request: IncomingMessage, response: ServerResponse): boolean => {
      const { pathname, searchParams } = URL.parse(request.url ?? '', baseUrl) ?? { pathname: '' };
      const type = request.method === 'GET' ? types[pathname] : undefined;
      if (!type && pathname !== '/stage.json') return false;
      response.setHeader('Content-Type', `${type ? `text/${type}` : 'application/json'}; charset=utf-8`);
      response.setHeader('Content-Security-Policy', policy);
      if (type) response.end(readFileSync(`${import.meta.dirname}/page/${pathname.slice(1) || 'page.html'}`));
      else
        void answerTo(request, searchParams?.get('search') ?? '').then((body) =>
          response.end(JSON.stringify(body)),
        );
      return true;
    },
    note: (attempt: Attempt) => {
      const { to, message } = attempt.event.detail as { to: string; message: Message };
      const partner = partners.find(({ clientId }) => clientId === to)?.name ?? to;
      const key = `${message.id} ${partner}`;
      attempts.delete(key);
      attempts.set(key, {
        ...{ key, partner, event: message.id, type: message['detail-type'] },
        ...{ uuid: message.detail?.uuid ?? '', at: timeText(attempt.startedMs) },
        ...{ said: saidOf(attempt), failed: attempt.next.kind !== 'delivered' },
      });
    },
  };
};

export type Page = ReturnType<typeof openPage>;

const timeText = (ms: number) => new Date(ms).toISOString().slice(11, 19);

type Message = { id: string; 'detail-type': string; detail?: { uuid?: string } };

/** The partner's latest transactions, newest first, or those with this uuid, stock id or sales id. */
const latestOf = async (partner: string, client: Client, search: string) => {
  const list = (more: { page?: number; filter?: object }) =>
    client.transactions.list({ perPage: listed.transactions, expand: ['customer', 'vehicle'], ...more });
  const wanted = async () => {
    const ids = ['ndstockid', 'salesmasterid'].map((id) => ({ filter: { identifiers: { [id]: search } } }));
    if (search !== '') return [{ filter: { uuid: search } }, ...ids];
    const { pageCount } = (await list({}))._meta;
    // The last page may have one row only.
    return [pageCount - 1, pageCount].filter((page) => page > 0).map((page) => ({ page }));
  };
  const found = async () => (await Promise.all((await wanted()).map(list))).flatMap(({ data }) => data);
  // A partner whose secret was rotated reads nothing here.
  const all = await found().catch(() => []);
  return all
    .slice(-listed.transactions)
    .toReversed()
    .map((one) => {
      const { customer, vehicle } = one as unknown as Record<string, Record<string, unknown> | null>;
      const about = [customer?.firstName, customer?.lastName, vehicle?.make, vehicle?.model];
      return { uuid: one.uuid, partner, isComplete: one.status === 1, about: about.join(' ').trim() };
    });
};

/** Reads which transactions wait for their event, and until when. */
const dueIn = ({ endpoints, variables }: StackFile['operator']) => {
  const documents = createDocumentClient(connectionTo(endpoints.dynamodb));
  const scan = new ScanCommand({ TableName: variables.DEBOUNCE_TABLE, IndexName: 'due' });
  return async () =>
    ((await documents.send(scan)).Items ?? [])
      // What is sent again, and passes, are of partners.
      .filter(({ pk }) => String(pk).startsWith('TX#'))
      .toSorted((one, other) => one.dueAtMs - other.dueAtMs)
      .slice(0, listed.due)
      .map(({ pk, dueAtMs }) => ({
        uuid: String(pk).split('#')[1],
        when: `${timeText(dueAtMs)}, in ${Math.max(0, Math.round((dueAtMs - Date.now()) / 1000))} s`,
      }));
};

/** What a checkout page of the default storefront sends, with a device of its own; a user signs in. */
const checkOut = async (as: string, { baseUrl, storefronts }: StackFile): Promise<string> => {
  const shop = storefronts.find((storefront) => storefront.default === true) as
    | { origins: string[]; identityProvider: { issuer: string } }
    | undefined;
  if (!shop) return 'There is no demo storefront.';
  const headers = { Origin: shop.origins[0] ?? '' };
  const post = (url: string, body: URLSearchParams | Blob) => fetch(url, { method: 'POST', body, headers });
  const customer = { firstName: 'Robin', lastName: `Visitor ${randomInt(1_000)}` };
  const entered = JSON.stringify({ customer, vehicle: { make: 'Volkswagen', model: 'Polo' } });
  const made = await post(`${baseUrl}/api/transaction`, new Blob([entered], { type: 'application/json' }));
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
