/** Programs that a partner would write with the package; they run in the consumer's folder (`kit-use.ts`). */

const receiverOf = (server: string) => `
import { createReceiver, nodeHandler } from '@transactions/partner-kit';
const receiver = createReceiver({
  signatures: process.env.TRANSACTIONS_WEBHOOK_SIGNATURE,
  source: process.env.TRANSACTIONS_WEBHOOK_SOURCE,
  apply: () => {},
});
${server}`;

/** Each prints its address when it listens. */
export const receivers = {
  'node-receiver.mjs': receiverOf(`
import { createServer } from 'node:http';
const server = createServer(nodeHandler(receiver));
server.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/webhook'));
`),
  'express-receiver.mjs': receiverOf(`
import express from 'express';
const app = express();
app.all('/webhook', nodeHandler(receiver));
const server = app.listen(0, '127.0.0.1', () => console.log('http://127.0.0.1:' + server.address().port + '/webhook'));
`),
};

const clientOfTheStage = `
import { createClient } from '@transactions/partner-kit';
const client = createClient({
  baseUrl: process.env.TRANSACTIONS_BASE_URL,
  authUrl: process.env.TRANSACTIONS_AUTH_URL,
  clientId: process.env.TRANSACTIONS_CLIENT_ID,
  clientSecret: process.env.TRANSACTIONS_CLIENT_SECRET,
});
`;

export const programs = {
  /** Completes a transaction, and waits until its webhook has heard of it; prints the event's id. */
  'payment.mjs': `${clientOfTheStage}
const [{ uuid }] = (await client.transactions.list({ filter: { status: 0 }, perPage: 1 })).data;
await client.payments.create({ transaction: uuid, type: 1, value: '10.00', status: 1 });
const filter = { transaction: uuid, type: 'TransactionCompleted', state: 'sent' };
let events = [];
for (let tries = 0; events.length === 0; tries += 1) {
  if (tries > 120) throw new Error('It was not delivered.');
  await new Promise((resolve) => setTimeout(resolve, 250));
  events = (await client.events.list({ filter })).data;
}
console.log(events[0].id);
`,
  /** The README's blocks about errors and about a fetch-style receiver, unchanged, with a print of their results. */
  'readme.mjs': `${clientOfTheStage}
import { titleOf } from './errors.mts';
import { webhook } from './a-receiver-of-webhooks.mts';
import { take } from './a-receiver-of-webhooks-2.mts';

const [{ uuid, ndMeta }] = (await client.transactions.list({ expand: ['ndMeta'], perPage: 1 })).data;
const transactions = new Map();
const handle = webhook(client, transactions);
const send = async ({ uuid, from, to, signature = process.env.TRANSACTIONS_WEBHOOK_SIGNATURE }, handler = handle) => {
  const message = {
    ...{ version: '0', id: crypto.randomUUID(), 'detail-type': 'TransactionUpdated', resources: [] },
    ...{ source: 'svc.production.online-payments', time: new Date().toISOString() },
    detail: { uuid, status: 0, ndMeta: {}, customer: { title: 'Dr' } },
  };
  const headers = {
    'X-Webhook-Signature': signature,
    'X-Transaction-From-Version': String(from),
    'X-Transaction-Version': String(to),
    'X-Transaction-Omitted': '',
  };
  const body = JSON.stringify(message);
  return (await handler(new Request('https://hooks.example/', { method: 'POST', headers, body }))).status;
};
const statuses = [
  await send({ uuid: 'new', from: 0, to: 1 }),
  await send({ uuid, from: 5, to: 6 }),
  await send({ uuid: 'forged', from: 0, to: 1, signature: 'wrong' }),
];
const verified = [
  await send({ uuid, from: 0, to: 1 }, take),
  await send({ uuid, from: 0, to: 1, signature: 'wrong' }, take),
];
console.log(
  JSON.stringify({
    unknown: (await titleOf(client, 'nobody')) ?? 'none',
    title: typeof (await titleOf(client, uuid)),
    statuses,
    applied: transactions.get('new')?.customer.title,
    isReadBack: transactions.get(uuid)?.ndMeta.group === ndMeta.group,
    isForged: transactions.has('forged'),
    verified,
  }),
);
process.exit();
`,
};
