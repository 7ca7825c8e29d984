import { expect, test } from '@jest/globals';
import { aV2Partner } from '../../../support/apis/v2-partner.ts';
import { aPartner, aSecret } from '../../../support/builders/a-partner.ts';

test('V2-6 S-20 a partner reads its own name, OAuth scopes, grants, limits, facts of secrets and webhook', async () => {
  const partner = aPartner({
    grants: [{ group: 'g', location: 'l' }],
    webhookUrl: 'https://hooks.example/in?code=their-own-secret',
    createdAtMs: Date.parse('2026-01-15T00:00:00Z'),
  });
  const secrets = [
    aSecret({ id: 's1', madeBy: 'ada', createdAtMs: Date.parse('2026-02-01T00:00:00Z') }),
    aSecret({
      id: 'two',
      madeBy: 'bob',
      createdAtMs: Date.parse('2026-02-28T12:00:00Z'),
      lastUsedOn: '2026-02-28',
      expiresAtMs: Date.parse('2026-03-08T00:00:00Z'),
    }),
  ];
  const { get } = await aV2Partner({ partners: [partner], secrets });

  const { status, body } = await get('/api/v2/partner');

  expect(status).toBe(200);
  expect(body).toEqual({
    name: 'Acme',
    oauthScopes: ['nop2/read', 'nop2/write'],
    grants: [{ group: 'g', location: 'l' }],
    limits: { perPage: { default: 10, maximum: 50 }, queryParameters: { maximum: 100, levels: 4 } },
    secrets: [
      {
        id: 's1',
        madeBy: 'ada',
        createdAt: '2026-02-01T00:00:00.000Z',
        ageDays: 28,
        lastUsedOn: null,
        expiresAt: null,
      },
      {
        id: 'two',
        madeBy: 'bob',
        createdAt: '2026-02-28T12:00:00.000Z',
        ageDays: 1,
        lastUsedOn: '2026-02-28',
        expiresAt: '2026-03-08T00:00:00.000Z',
      },
    ],
    webhook: {
      state: 'active',
      signature: { createdAt: '2026-01-15T00:00:00.000Z', ageDays: 45 },
      rotation: null,
    },
  });
});

test('V2-6 a paused webhook and an announced signature are shown, and never a value', async () => {
  const partner = aPartner({
    webhookUrl: 'https://hooks.example/in',
    webhookPaused: true,
    signatureMadeAtMs: Date.parse('2026-02-01T00:00:00Z'),
    nextSignatureMadeAtMs: Date.parse('2026-03-01T00:00:00Z'),
  });
  const { get } = await aV2Partner({ partners: [partner] });

  const { body } = await get('/api/v2/partner');

  expect(body.webhook).toEqual({
    state: 'paused',
    signature: { createdAt: '2026-02-01T00:00:00.000Z', ageDays: 28 },
    rotation: { announcedAt: '2026-03-01T00:00:00.000Z' },
  });
});

test('V2-6 without a webhook address its state is none', async () => {
  const { get } = await aV2Partner();

  const { body } = await get('/api/v2/partner');

  expect(body.webhook).toMatchObject({ state: 'none', rotation: null });
});
