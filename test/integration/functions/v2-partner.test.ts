import { beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import { createStorefrontStore } from '../../../bin/operator/store/storefronts.ts';
import { createPartnerNotes } from '../../../functions/shared/store/partners/notes.ts';
import { createWebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import type { Ask } from '../../support/builders/http-event.ts';
import { anOwner } from '../../support/builders/transactions.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { refusal } from '../../support/functions/aws.ts';
import { provePartnerApi } from '../../support/functions/partner-api.ts';
import { askingOf, heldAtMs, itemsOf, sending, useFunctions } from '../../support/functions/use-functions.ts';
import { isAllowed } from '../../support/rights/rights.ts';

const functions = useFunctions({ STAGE: 'staging' });
const { service } = templatesOf('production');
const { clientId } = aPartner();
const other = aPartner({ clientId: 'OTHER', name: 'Other', webhookUrl: 'https://other.example/hook' });
let asking: ReturnType<typeof askingOf>;

const access = () => ({ documents: functions.documents, partnersTable: 'Partners' });

const start = async (variables = {}) => {
  const handle = askingOf(
    await functions.start('v2-partner', { LOOPBACK_ENDPOINTS: 'refused', ...variables }),
  );
  return async (target: string, { headers, ...more }: Ask = {}) => {
    const Authorization = `Bearer ${await functions.place.signToken()}`;
    return handle(target, { ...more, headers: { ...headers, Authorization } });
  };
};
const itemOf = async (pk: string) => (await itemsOf(functions, 'Partners')).find((item) => item.pk === pk);
/** What the function did at the tables and its role does not allow. */
const refusedRequests = () => functions.aws.asked().filter((one) => !isAllowed(service, 'v2-partner', one));

beforeAll(async () => {
  await createPartnerStore(access()).create({ partner: other, secrets: [] }, 'of-other');
  asking = await start();
});
beforeEach(() => {
  functions.aws.calls.length = 0;
});

test('V2-13 the address is stored in the record, the queue gets the partner, and both tables have the audit record', async () => {
  const { status, body } = await asking(
    '/api/v2/webhook',
    sending('PUT', { url: 'https://new.example/hook' }),
  );

  expect(refusedRequests()).toEqual([]);
  expect([status, body.state]).toEqual([202, 'verifying']);
  expect((await itemOf(`PARTNER#${clientId}`))?.webhook).toMatchObject({
    webhookUrl: 'https://new.example/hook',
    webhookChange: { by: 'partner', atMs: heldAtMs },
  });
  expect(functions.aws.sent()).toMatchObject([
    { queue: 'endpoints', MessageBody: JSON.stringify({ clientId }) },
  ]);
  const ofAudit = (items: Record<string, unknown>[]) =>
    items.filter(({ command }) => command === 'partner set-webhook');
  const [record] = ofAudit(await itemsOf(functions, 'Partners'));
  expect(record).toMatchObject({ who: 'Acme', caller: `partner/${clientId}` });
  expect(ofAudit(await itemsOf(functions, 'Audit'))).toEqual([record]);
  expect(
    (await itemsOf(functions, 'Audit')).filter(({ pk }) => String(pk).startsWith('DONE#')),
  ).toMatchObject([{ sk: record?.sk }]);
});

test('V2-13 S-47 a stage in AWS refuses a loopback address, and the local one accepts it', async () => {
  const put = sending('PUT', { url: 'http://127.0.0.1:9000/' });

  const { status, body } = await asking('/api/v2/webhook', put);
  const local = await (await start({ LOOPBACK_ENDPOINTS: 'allowed' }))('/api/v2/webhook', put);

  expect([status, body.errors[0].field, local.status]).toEqual([422, 'url', 202]);
});

test('V2-13 S-27 S-57 a next signature is created, stored once, shown once, and switched to without being read', async () => {
  const keyed = { method: 'POST', headers: { 'Idempotency-Key': 'next' } };

  const first = await asking('/api/v2/webhook/signature', keyed);
  expect(refusedRequests()).toEqual([]);
  const again = await asking('/api/v2/webhook/signature', keyed);
  const value = first.body.signature;
  expect([first.status, again.status, again.body.signature]).toEqual([201, 200, undefined]);
  expect(await itemOf(`WEBHOOK#${clientId}`)).toMatchObject({ signature: 'signature', next: value });
  const elsewhere = [
    ...(await itemsOf(functions, 'Partners')).filter(({ pk }) => pk !== `WEBHOOK#${clientId}`),
    ...(await itemsOf(functions, 'Requests')),
    ...(await itemsOf(functions, 'Audit')),
    functions.written(),
  ];
  expect(JSON.stringify(elsewhere)).not.toContain(value);

  const switched = await asking('/api/v2/webhook', sending('PATCH', { signature: 'next' }));

  expect(refusedRequests()).toEqual([]);
  expect(switched.status).toBe(200);
  expect(await itemOf(`WEBHOOK#${clientId}`)).toMatchObject({ signature: value });
  expect(await itemOf(`WEBHOOK#${clientId}`)).not.toHaveProperty('next');
});

test('V2-13 failures after a change do not undo it, and the metric is reported', async () => {
  functions.aws.interfere(({ target, body }) =>
    target.startsWith('AmazonSQS.') || body.includes('DONE#') ? refusal('AccessDenied') : undefined,
  );

  const { status } = await asking('/api/v2/webhook', sending('PATCH', { paused: true }));
  functions.aws.interfere();

  expect(status).toBe(200);
  for (const code of ['ENDPOINT_NOT_WOKEN', 'CHANGE_NOT_NOTED'])
    expect(functions.logged(code)).toMatchObject([{ service: 'v2-partner', clientId }]);
  await asking('/api/v2/webhook', sending('PATCH', { paused: false }));
});

test('V2-13 S-40 changes are counted for all processes, and those beyond ten are refused', async () => {
  const announce = (by: typeof asking) => by('/api/v2/webhook/signature', { method: 'POST' });
  functions.pass(600);
  const [here, there] = [asking, await start()];
  const answers: Awaited<ReturnType<typeof announce>>[] = [];
  for (let n = 0; n < 11; n += 1) answers.push(await announce(n % 2 === 0 ? here : there));

  expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(201), 429]);
  expect(new Set(answers.slice(0, 10).map(({ body }) => body.signature)).size).toBe(10);
});

test('V2-13 S-77 the partner sees that the operator has stopped all webhooks', async () => {
  await createWebhookSwitch(access()).stop(Date.now());

  const { body } = await asking('/api/v2/webhook');
  await createWebhookSwitch(access()).start(Date.now());

  expect(body).toMatchObject({
    ...{ state: 'paused', pausedBy: 'operator' },
    _links: { self: { href: 'https://api.example/v2/webhook' } },
  });
});

test('V2-6 S-20 a partner sees its branches, its limits and when its secrets were used', async () => {
  const { register } = createStorefrontStore(access());
  await register({ name: 'shop', owner: anOwner(), origins: [], retired: false, createdAtMs: 1 });
  await createPartnerNotes(access()).noteUse(clientId, 's1', '2026-02-28');

  const { body } = await asking('/api/v2/partner');

  expect(body.grants).toMatchObject([{ branches: ['Branch A'] }]);
  expect(body.secrets).toMatchObject([{ lastUsedOn: '2026-02-28' }]);
  expect(body.limits.requests[0]).toEqual({ name: 'partner', quota: 300, windowSeconds: 60 });
});

test('S-04 V2-13 nothing of it concerned another partner', async () => {
  const { webhookUrl, ...record } = other;
  expect(await itemOf('PARTNER#OTHER')).toMatchObject({ partner: record, webhook: { webhookUrl } });
  expect(await itemOf('WEBHOOK#OTHER')).toMatchObject({ signature: 'of-other' });
  expect(await itemsOf(functions, 'Debounce')).not.toContainEqual(
    expect.objectContaining({ clientId: 'OTHER' }),
  );
});

provePartnerApi(functions, {
  ...{ name: 'v2-partner', target: '/api/v2/event?filter[type]=no', ask: {}, status: 422 },
});
