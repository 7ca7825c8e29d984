import { expect, test } from '@jest/globals';
import type { PartnerRecord } from '../../../../partner-kit/src/index.ts';
import { partnerEnv as env, runCommand } from '../../../support/partner-kit/command.ts';

const record: PartnerRecord = {
  name: 'acme',
  oauthScopes: ['nop2/read', 'nop2/write'],
  grants: [
    { group: 'G1', franchise: 'F1', branches: ['York', 'Leeds'], branchCount: 22 },
    { group: 'G2', branches: [], branchCount: 0 },
  ],
  limits: {
    perPage: { default: 10, maximum: 50 },
    queryParameters: { maximum: 100, levels: 4 },
    requests: [
      { name: 'partner', quota: 300, windowSeconds: 60 },
      { name: 'replay', quota: 60, windowSeconds: 600 },
    ],
  },
  secrets: [
    {
      id: 'old',
      createdAt: '',
      ageDays: 90,
      lastUsedOn: '2026-11-21',
      expiresAt: '2026-11-23T06:00:00.000Z',
    },
    { id: 'new', createdAt: '', ageDays: 0, lastUsedOn: null, expiresAt: null },
  ],
  webhook: {
    ...{ state: 'failing', since: '2026-11-22T06:00:00.123Z', reason: 'TIMEOUT', pausedBy: null },
    host: 'hooks.acme.example',
    lastFailure: { event: 'e1', at: '2026-11-22T07:00:00.000Z', reason: 'HTTP_500', status: 500 },
    signature: { createdAt: '', ageDays: 1 },
    nextSignature: { createdAt: '', ageDays: 0 },
    lastChange: { at: '2026-11-20T08:00:00.000Z', by: 'partner' },
  },
};

const whoami = async (body: PartnerRecord) =>
  (
    await runCommand(['whoami'], {
      env,
      fetch: async () => Response.json({ ...body, access_token: 't', expires_in: 3600 }),
    })
  ).printed;

test('V2-6 whoami shows in words what the service knows of a partner', async () => {
  expect(await whoami(record)).toBe(
    [
      'name          acme',
      'scopes        nop2/read nop2/write',
      'sees          group G1, franchise F1: York, Leeds, 20 more',
      '              group G2: no branch yet',
      'secret        old, 90 days old, last used on 2026-11-21, ends at 2026-11-23 06:00:00 UTC',
      '              new, less than a day old, never used',
      'webhook       failing, no answer in time, at hooks.acme.example, since 2026-11-22 06:00:00 UTC, changed by partner at 2026-11-20 08:00:00 UTC',
      'last failure  event e1 at 2026-11-22 07:00:00 UTC: it answered 500',
      'signature     a day old, the next one less than a day old',
      'limits        all requests: 300 in 60 s',
      '              replays: 60 in 600 s',
      '              a page of a list: 10 records, at most 50',
      '              a query: at most 100 parameters',
      '',
    ].join('\n'),
  );
});

test('V2-6 whoami of a new partner says so', async () => {
  const webhook: PartnerRecord['webhook'] = {
    ...{ state: 'off', since: null, reason: null, pausedBy: null, host: null, lastFailure: null },
    ...{ signature: { createdAt: '', ageDays: 0 }, nextSignature: null, lastChange: null },
  };

  const printed = await whoami({ ...record, oauthScopes: [], grants: [], secrets: [], webhook });

  expect(printed).toMatch(
    /^scopes {5}none\nsees {7}nothing\nsecret {5}none\nwebhook {4}off\nsignature {2}less than a day old\nlimits /m,
  );
});
