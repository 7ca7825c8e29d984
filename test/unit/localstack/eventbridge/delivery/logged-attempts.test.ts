import { expect, test } from '@jest/globals';
import type { Attempt } from '../../../../../functions/shared/store/debounce/delivery-log-store.ts';
import { recordInDeliveryLog } from '../../../../../localstack/eventbridge/delivery/logged-attempts.ts';

const attempt = { eventId: 'e1', clientId: 'acme', atMs: 1_795_262_400_000, attempt: 2, delivered: false };

test.each([
  [{ status: 204, delivered: true }, true, 'attempt 2: status 204'],
  [
    { status: 503, willRetryAtMs: 1_795_262_403_500 },
    false,
    'attempt 2: status 503, again at 2026-11-21T12:00:03.500Z',
  ],
  [
    { error: 'timed out', willRetryAtMs: 1_795_262_401_000 },
    false,
    'attempt 2: timed out, again at 2026-11-21T12:00:01.000Z',
  ],
  [{ status: 404 }, false, 'attempt 2: status 404, given up'],
])('TH-23: an attempt of %j is in the timeline as delivered %s, "%s"', async (result, isDelivered, note) => {
  const entered: Attempt[] = [];
  const recordAttempt = async (one: Attempt) => {
    entered.push(one);
  };

  await recordInDeliveryLog({ recordAttempt })({ ...attempt, ...result });

  expect(entered).toEqual([{ eventId: 'e1', clientId: 'acme', atMs: 1_795_262_400_000, isDelivered, note }]);
});
