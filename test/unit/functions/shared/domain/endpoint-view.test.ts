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

/** An address that was set at 100, and what was done at some time later. */
const set = { webhookUrl: url, webhookSetAtMs: 100 };
const changedAt = (atMs: number) => ({ webhookChange: { by: 'partner', atMs } as const });
const paused = { ...on, state: 'paused', sinceMs: 210 } as const;
const failed = { state: 'failing', sinceMs: 210, reason: 'timed out' } as const;
const verifying = (sinceMs: number) => ({ state: 'verifying', sinceMs });

const cases: [string, Partial<Partner>, EndpointStatus | undefined, object][] = [
  ['has no address', {}, on, { state: 'off' }],
  ['is new to keep-endpoints', set, undefined, verifying(100)],
  ['is reached', set, on, { state: 'on', sinceMs: 150 }],
  ['is reached, but the bus does not know its target yet', set, { ...on, sinceMs: 1_001 }, verifying(100)],
  [
    'is reached, and has a next signature since',
    { ...set, nextSignatureMadeAtMs: 200, ...changedAt(200) },
    on,
    { state: 'on', sinceMs: 150 },
  ],
  ['has the same address set once more', { ...set, webhookSetAtMs: 200 }, on, verifying(200)],
  [
    'has a new address, of which nothing is known, behind one that fails',
    newAddress,
    failing,
    verifying(200),
  ],
  ['has a new address that did not pass', newAddress, { ...failing, ...failed, tried: triedNew }, failed],
  ['fails', set, failing, { state: 'failing', sinceMs: 150, reason: 'HTTP_500' }],
  [
    'was paused a moment ago',
    { ...set, webhookPaused: 'partner', ...changedAt(200) },
    on,
    { state: 'paused', sinceMs: 200, pausedBy: 'partner' },
  ],
  [
    'is paused at the bus, too',
    { ...set, webhookPaused: 'operator' },
    paused,
    { state: 'paused', sinceMs: 210, pausedBy: 'operator' },
  ],
  ['was resumed a moment ago', { ...set, ...changedAt(300) }, paused, verifying(300)],
];

test.each(cases)('V2-13 state of a webhook that %s', (_what, changes, status, view) => {
  expect(endpointViewOf(aPartner(changes), { status, isStopped: false, nowMs: 1_000 })).toEqual(view);
});

test('V2-13 S-77 while all are stopped, an unpaused webhook is paused by the operator', () => {
  expect(endpointViewOf(aPartner(set), { status: on, isStopped: true, nowMs: 1_000 })).toEqual({
    state: 'paused',
    pausedBy: 'operator',
  });
});
