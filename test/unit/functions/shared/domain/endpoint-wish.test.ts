import { expect, test } from '@jest/globals';
import type { EndpointStatus, EndpointWish } from '../../../../../functions/shared/domain/endpoint.ts';
import {
  endpointWishOf,
  hasFailed,
  hasPassed,
  isBeingRemoved,
  isReached,
  isServed,
} from '../../../../../functions/shared/domain/endpoint-wish.ts';
import { aPartner } from '../../../../support/builders/a-partner.ts';

const url = 'https://partner.example/hook';
const wish: EndpointWish = { wanted: 'on', url, setAtMs: 1, signatureMadeAtMs: 2 };
const status: EndpointStatus = { state: 'on', sinceMs: 5 };
const others: [string, EndpointWish][] = [
  ['wanted', { ...wish, wanted: 'kept' }],
  ['address', { ...wish, url: 'https://partner.example/other' }],
  ['time of the address', { ...wish, setAtMs: 9 }],
  ['signature', { ...wish, signatureMadeAtMs: 9 }],
];

test('V2-13 the wish has the address with its time and the signature, and nothing of a next one', () => {
  const partner = aPartner({ webhookUrl: url, createdAtMs: 2 });

  expect(endpointWishOf(partner, false)).toStrictEqual({ wanted: 'on', url, signatureMadeAtMs: 2 });
  expect(
    endpointWishOf({ ...partner, webhookSetAtMs: 1, signatureMadeAtMs: 4, nextSignatureMadeAtMs: 3 }, false),
  ).toStrictEqual({ ...wish, signatureMadeAtMs: 4 });
});

test.each([
  ['a partner that is disabled', aPartner({ webhookUrl: url, enabled: false }), false, 'none'],
  ['no partner', undefined, false, 'none'],
  ['a paused webhook', aPartner({ webhookUrl: url, webhookPaused: 'partner' }), false, 'kept'],
  ['a stop of all webhooks', aPartner({ webhookUrl: url }), true, 'kept'],
])('EV-13 the wish of %s', (_, partner, isStopped, wanted) => {
  expect(endpointWishOf(partner, isStopped).wanted).toBe(wanted);
});

test.each(others)('RUN-5 a wish with another %s is neither reached nor failed', (_, other) => {
  const failing: EndpointStatus = { ...status, state: 'failing', tried: { wish, atMs: 7 } };

  expect([isReached({ ...status, reached: wish }, wish), hasFailed(failing, wish)]).toEqual([true, true]);
  expect([isReached({ ...status, reached: wish }, other), hasFailed(failing, other)]).toEqual([false, false]);
});

test('RUN-5 before its first status, or with a check that passed, a wish has not failed', () => {
  expect([isReached(undefined, wish), hasFailed(undefined, wish)]).toEqual([false, false]);
  expect(hasFailed({ ...status, tried: { wish, atMs: 7 } }, wish)).toBe(false);
});

test.each<[string, Partial<EndpointStatus>, boolean]>([
  ['this address of this time', { servedUrl: url, servedSetAtMs: 1 }, true],
  ['this address, set before', { servedUrl: url, servedSetAtMs: 0 }, false],
  ['another address', { servedUrl: 'https://partner.example/other', servedSetAtMs: 1 }, false],
  ['none', { servedSetAtMs: 1 }, false],
])('RUN-5 an address has passed its check where the status serves %s', (_, served, expected) => {
  expect(hasPassed({ ...status, ...served }, wish)).toBe(expected);
});

test.each([
  ['from now on', 10, undefined, undefined, true],
  ['later', 11, undefined, undefined, false],
  ['never', undefined, undefined, undefined, false],
  ['from before a start of all webhooks', 1, 4, 5, false],
  ['since that start', 1, 5, 5, true],
])('I1 DR-13 an endpoint that serves %s', (_, servesFromMs, resumedAtMs, startedAtMs, expected) => {
  const known = {
    ...status,
    ...(servesFromMs !== undefined && { servesFromMs }),
    ...(resumedAtMs !== undefined && { resumedAtMs }),
  };

  expect(isServed(known, { nowMs: 10, startedAtMs })).toBe(expected);
  expect(isServed(undefined, { nowMs: 10 })).toBe(false);
});

test('EV-13 an address is being removed until the bus has nothing and its kept events have ended', () => {
  const { webhookUrl: _, ...removed } = aPartner({ webhookChange: { by: 'partner', atMs: 1 } });
  const off: EndpointStatus = { ...status, state: 'off', reached: { wanted: 'none' } };

  expect(isBeingRemoved(removed, { ...status, reached: wish })).toBe(true);
  expect(isBeingRemoved(removed, { ...off, sendsKeptAtMs: 9 })).toBe(true);
  expect(isBeingRemoved(removed, off)).toBe(false);
  expect(isBeingRemoved({ ...removed, webhookUrl: url }, { ...status, reached: wish })).toBe(false);
});
