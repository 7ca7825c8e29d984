import type { NewTransaction } from '../../../functions/shared/domain/transaction/new-transaction.ts';
import type { BusEntry } from '../../../functions/shared/outbound/event-bus.ts';
import { type Client, createClient } from '../../../partner-kit/src/index.ts';
import { aNotifiedPartner } from '../apis/notified-partner.ts';
import { aV2Read } from '../apis/v2-read.ts';
import { aPartner } from '../builders/a-partner.ts';
import { signature } from './webhooks.ts';

export const servedSource = 'svc.local.online-payments';

type World = Awaited<ReturnType<typeof aNotifiedPartner>>;

/** The kit's client before functions of the service: its `fetch` is a call. The token is a stand-in: the client id itself. */
const aClientInProcess = (clientId: string, ask: World['ask'], { time, pass }: World): Client => {
  const token = JSON.stringify({ access_token: clientId, token_type: 'Bearer', expires_in: 3600 });
  return createClient({
    baseUrl: 'https://api.example',
    authUrl: 'https://auth.example',
    ...{ clientId, clientSecret: 'secret' },
    clock: () => time.now.getTime(),
    // What has a signal here is the limit of an attempt: it ends with it. A pause only moves the clock.
    sleep: async (ms, signal) => (signal ? untilAborted(signal) : pass(ms / 1000)),
    fetch: async (input, { method = 'GET', headers, body } = {}) => {
      const { pathname, search } = new URL(String(input));
      if (pathname === '/oauth2/token') return new Response(token);
      const answer = await ask(`${pathname}${search}`, {
        method,
        headers: { ...headers } as Record<string, string>,
        body: String(body ?? ''),
      });
      return new Response(answer.text === '' ? null : answer.text, {
        status: answer.status,
        headers: Object.entries(answer.headers).map(([name, value]) => [name, String(value)]),
      });
    },
  });
};

/** The service's own functions over stores in memory, under a clock that the test moves, and the kit's client before them. */
export const aServiceInProcess = async (transactions: readonly NewTransaction[]) => {
  const partner = aPartner({ webhookUrl: 'https://partner.example/' });
  const world = await aNotifiedPartner({ partners: [partner], transactions });
  const reads = await aV2Read({ partners: [partner], reader: world.transactions });
  const ask: World['ask'] = (target, asking) =>
    (/^(\/api)?\/v2\/transaction\b/.test(target) ? reads.get : world.ask)(target, asking);
  return { ...world, client: aClientInProcess(partner.clientId, ask, world), read: reads.get };
};

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
