import { expect, test } from '@jest/globals';
import { partnerPolicy } from '../../../../functions/shared/domain/rate-limit.ts';
import { aStorefront } from '../../../support/apis/v1-transaction.ts';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner, aSecret } from '../../../support/builders/a-partner.ts';
import { anOwner } from '../../../support/builders/transactions.ts';

const aBranch = (branch: string, location: string, franchise = 'f1') =>
  aStorefront(franchise, location, { owner: anOwner({ group: 'g', branch, location, franchise }) });

test('V2-6 S-20 shows the partner’s name, OAuth scopes, grants, limits, age of secrets and webhook', async () => {
  const setAtMs = Date.parse('2026-01-16T00:00:00Z');
  const partner = aPartner({
    grants: [{ group: 'g', location: 'l' }],
    webhookUrl: 'https://hooks.example/in?code=their-own-secret',
    webhookSetAtMs: setAtMs,
    webhookChange: { by: 'operator', atMs: setAtMs },
    createdAtMs: Date.parse('2026-01-15T00:00:00Z'),
  });
  const secrets = [
    aSecret({ id: 's1', madeBy: 'ada', createdAtMs: Date.parse('2026-02-01T00:00:00Z') }),
    aSecret({
      id: 'two',
      madeBy: 'bob',
      createdAtMs: Date.parse('2026-02-28T12:00:00Z'),
      expiresAtMs: Date.parse('2026-03-08T00:00:00Z'),
    }),
  ];
  const registered = [aBranch('York', 'l'), aBranch('Leeds', 'l', 'f2'), aBranch('Hull', 'other')];
  const world = { partners: [partner], secrets, registered, partnerRate: partnerPolicy(250) };
  const { get, partners } = await aV2Partner(world);
  await partners.noteUse(partner.clientId, 'two', '2026-02-28');

  const { status, body } = await get('/api/v2/partner');

  expect(status).toBe(200);
  expect(body).toEqual({
    name: 'Acme',
    oauthScopes: ['nop2/read', 'nop2/write', 'nop2/webhook'],
    grants: [{ group: 'g', location: 'l', branches: ['Leeds', 'York'], branchCount: 2 }],
    limits: {
      perPage: { default: 10, maximum: 50 },
      queryParameters: { maximum: 100, levels: 4 },
      requests: [
        { name: 'partner', quota: 250, windowSeconds: 60 },
        { name: 'replay', quota: 60, windowSeconds: 600 },
        { name: 'webhook-test', quota: 10, windowSeconds: 600 },
        { name: 'self-service', quota: 10, windowSeconds: 600 },
      ],
    },
    secrets: [
      { id: 's1', createdAt: '2026-02-01T00:00:00.000Z', ageDays: 28, lastUsedOn: null, expiresAt: null },
      {
        id: 'two',
        createdAt: '2026-02-28T12:00:00.000Z',
        ageDays: 1,
        lastUsedOn: '2026-02-28',
        expiresAt: '2026-03-08T00:00:00.000Z',
      },
    ],
    webhook: {
      state: 'verifying',
      since: '2026-01-16T00:00:00.000Z',
      reason: null,
      pausedBy: null,
      host: 'hooks.example',
      lastFailure: null,
      signature: { createdAt: '2026-01-15T00:00:00.000Z', ageDays: 45 },
      nextSignature: null,
      lastChange: { at: '2026-01-16T00:00:00.000Z', by: 'operator' },
    },
  });
});

test('V2-6 S-77 while all webhooks are stopped its own is paused by the operator', async () => {
  const partner = aPartner({ webhookUrl: 'https://hooks.example/in' });
  const asSent = new Map([[partner.clientId, { ...partner, webhookPaused: 'operator' as const }]]);
  const { get } = await aV2Partner({ partners: [partner], directory: { byClientIds: async () => asSent } });
  const paused = { state: 'paused', pausedBy: 'operator' };

  expect((await get('/api/v2/partner')).body.webhook).toMatchObject(paused);
  expect((await get('/api/v2/webhook')).body).toMatchObject(paused);
});
