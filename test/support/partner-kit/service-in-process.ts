import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { BusEntry } from '../../../functions/shared/outbound/event-bus.ts';
import { createClient } from '../../../partner-kit/src/index.ts';
import { aToldPartner } from '../apis/told-partner.ts';
import { aV2Read } from '../apis/v2-read.ts';
import { aPartner } from '../builders/a-partner.ts';
import { signature } from './webhooks.ts';

export const servedSource = 'svc.local.online-payments';

/**
 * The service's own functions over stores in memory, under a clock that the test moves, and the kit's client before them:
 * its `fetch` is a call, so nothing leaves the process. Only the token is a stand-in: the client id itself.
 */
export const aServiceInProcess = async ({
  transactions = [],
}: {
  transactions?: readonly NewTransaction[];
} = {}) => {
  const partner = aPartner({ webhookUrl: 'https://partner.example/' });
  const world = await aToldPartner({ partners: [partner], transactions });
  const reads = await aV2Read({ partners: [partner], reader: world.transactions });
  const token = JSON.stringify({ access_token: partner.clientId, token_type: 'Bearer', expires_in: 3600 });
  const asked: string[] = [];

  const client = createClient({
    baseUrl: 'https://api.example',
    authUrl: 'https://auth.example',
    clientId: partner.clientId,
    clientSecret: 'secret',
    clock: () => world.time.now.getTime(),
    // What has a signal here is the limit of an attempt: it ends with it. A pause only moves the clock.
    sleep: async (ms, signal) => (signal ? untilAborted(signal) : world.pass(ms / 1000)),
    fetch: async (input, { method = 'GET', headers, body } = {}) => {
      const { pathname, search } = new URL(String(input));
      if (pathname === '/oauth2/token') return new Response(token);
      asked.push(`${method} ${pathname}`);
      const ask = { method, headers: { ...headers } as Record<string, string>, body: String(body ?? '') };
      const answer = await (isTransaction(pathname) ? reads.get : world.ask)(`${pathname}${search}`, ask);
      return new Response(answer.text, { status: answer.status, headers: textsOf(answer.headers) });
    },
  });
  return { ...world, client, asked, read: reads.get };
};

const isTransaction = (path: string) => /^(\/api)?\/v2\/transaction\b/.test(path);

const textsOf = (headers: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

const untilAborted = (signal: AbortSignal) =>
  new Promise<void>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** The request by which a receiver gets what the bus was given. */
export const webhookOf = ({ eventId, from, to, omitted, message }: BusEntry): Request =>
  new Request('https://partner.example/', {
    method: 'POST',
    headers: {
      'X-Webhook-Signature': signature,
      'Content-Type': 'application/json',
      'Idempotency-Key': eventId,
      'X-Transaction-From-Version': String(from),
      'X-Transaction-Version': String(to),
      'X-Transaction-Omitted': omitted.join(','),
    },
    body: message,
  });
