import { expect, test } from '@jest/globals';
import type { EndpointStatus } from '../../../../../functions/shared/domain/endpoint.ts';
import { endpointViewOf } from '../../../../../functions/shared/domain/endpoint-view.ts';
import { endpointWishOf } from '../../../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../../../functions/shared/domain/partner.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';

const url = 'https://partner.example/hook';
const on: EndpointStatus = { state: 'on', sinceMs: 150, servedUrl: url, servedSetAtMs: 100 };
const failing: EndpointStatus = { ...on, state: 'failing', sinceMs: 150, reason: 'HTTP_500' };
const newAddress = { webhookUrl: 'https://new.example/', webhookSetAtMs: 200 };
const triedNew = { wish: endpointWishOf(aPartner(newAddress), false), atMs: 210 };

const cases: [string, Partial<Partner>, EndpointStatus | undefined, object][] = [
  ['has no address', {}, on, { state: 'off' }],
  [
    'is new to keep-endpoints',
    { webhookUrl: url, webhookSetAtMs: 100 },
    undefined,
    { state: 'verifying', sinceMs: 100 },
  ],
  ['is reached', { webhookUrl: url, webhookSetAtMs: 100 }, on, { state: 'on', sinceMs: 150 }],
  [
    'is reached, but the bus does not know its target yet',
    { webhookUrl: url, webhookSetAtMs: 100 },
    { ...on, sinceMs: 1_001 },
    { state: 'verifying', sinceMs: 100 },
  ],
  [
    'is reached, and has another signature announced since',
    {
      webhookUrl: url,
      webhookSetAtMs: 100,
      nextSignatureMadeAtMs: 200,
      webhookChange: { by: 'partner', atMs: 200 },
    },
    on,
    { state: 'on', sinceMs: 150 },
  ],
  [
    'has the same address set once more',
    { webhookUrl: url, webhookSetAtMs: 200 },
    on,
    { state: 'verifying', sinceMs: 200 },
  ],
  [
    'has a new address, of which nothing is known, behind a former one that fails',
    newAddress,
    failing,
    { state: 'verifying', sinceMs: 200 },
  ],
  [
    'has a new address that did not pass',
    newAddress,
    { ...failing, sinceMs: 210, reason: 'timed out', tried: triedNew },
    { state: 'failing', sinceMs: 210, reason: 'timed out' },
  ],
  [
    'fails',
    { webhookUrl: url, webhookSetAtMs: 100 },
    failing,
    { state: 'failing', sinceMs: 150, reason: 'HTTP_500' },
  ],
  [
    'was paused a moment ago',
    {
      webhookUrl: url,
      webhookSetAtMs: 100,
      webhookPaused: 'partner',
      webhookChange: { by: 'partner', atMs: 200 },
    },
    on,
    { state: 'paused', sinceMs: 200, pausedBy: 'partner' },
  ],
  [
    'is paused at the bus, too',
    { webhookUrl: url, webhookSetAtMs: 100, webhookPaused: 'operator' },
    { ...on, state: 'paused', sinceMs: 210 },
    { state: 'paused', sinceMs: 210, pausedBy: 'operator' },
  ],
  [
    'was resumed a moment ago',
    { webhookUrl: url, webhookSetAtMs: 100, webhookChange: { by: 'partner', atMs: 300 } },
    { ...on, state: 'paused', sinceMs: 210 },
    { state: 'verifying', sinceMs: 300 },
  ],
];

test.each(cases)('V2-13 state of a webhook that %s', (_what, changes, status, view) => {
  expect(endpointViewOf(aPartner(changes), { status, isStopped: false, nowMs: 1_000 })).toEqual(view);
});

test('V2-13 S-77 while all are stopped, an unpaused webhook is paused by the operator', () => {
  const partner = aPartner({ webhookUrl: url, webhookSetAtMs: 100 });

  expect(endpointViewOf(partner, { status: on, isStopped: true, nowMs: 1_000 })).toEqual({
    state: 'paused',
    pausedBy: 'operator',
  });
});
