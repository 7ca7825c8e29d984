import { describe, expect, test } from '@jest/globals';
import {
  type DeliveryFault,
  deadReasonOf,
  redriveAtMs,
} from '../../../../../../functions/shared/domain/event/delivery.ts';

const aFault = (values: Partial<DeliveryFault> = {}): DeliveryFault => ({
  code: 'SDK_CLIENT_ERROR',
  kind: 'other',
  isExhausted: false,
  ...values,
});

describe('the reason of a dead delivery', () => {
  test.each<[Partial<DeliveryFault>, string]>([
    [{ status: 404, kind: 'answered' }, 'HTTP_404'],
    [{ status: 422, kind: 'answered' }, 'HTTP_422'],
    [{ status: 302, kind: 'answered' }, 'HTTP_302'],
    [{ status: 503, kind: 'answered', isExhausted: true }, 'EXHAUSTED'],
    [{ kind: 'timed-out', isExhausted: true }, 'EXHAUSTED'],
    [{ kind: 'timed-out' }, 'TIMEOUT'],
    [{ kind: 'unreachable' }, 'DNS'],
    [{ code: 'NO_RESOURCE' }, 'TARGET_REMOVED'],
    [{ code: 'NO_RESOURCE', isExhausted: true }, 'TARGET_REMOVED'],
    [{ code: 'NO_PERMISSIONS' }, 'NO_PERMISSIONS'],
  ])('%j is %s', (values, reason) => {
    expect(deadReasonOf(aFault(values))).toBe(reason);
  });
});

describe('when a dead delivery is tried again', () => {
  const nowMs = Date.parse('2026-03-01T12:00:00Z');
  const minutesLater = (reason: string, failures: number, redrives = failures) => {
    const atMs = redriveAtMs(reason, { failures, redrives }, nowMs);
    return atMs === undefined ? 'a person' : (atMs - nowMs) / 60_000;
  };

  test.each(['HTTP_403', 'HTTP_404', 'HTTP_408', 'HTTP_410', 'DNS'])(
    '%s: after 15 min, 1 h, 4 h, 12 h and 24 h, then only by a replay',
    (reason) => {
      const pauses = [0, 1, 2, 3, 4, 5, 6].map((failures) => minutesLater(reason, failures));

      expect(pauses).toEqual([15, 60, 240, 720, 1440, 'a person', 'a person']);
    },
  );

  test('EV-12 for a missing target: after 15 min, whatever the endpoint did before, and twenty times at most', () => {
    const pauses = [0, 4, 5, 19, 20].map((redrives) => minutesLater('TARGET_REMOVED', 5, redrives));

    expect(pauses).toEqual([15, 15, 15, 15, 'a person']);
  });

  test.each([
    ...['HTTP_400', 'HTTP_413', 'HTTP_415', 'HTTP_422', 'HTTP_405', 'HTTP_302', 'EXHAUSTED'],
    ...['TIMEOUT', 'NO_PERMISSIONS', 'REFUSED_BY_BUS', 'UNKNOWN'],
  ])('%s: only by a replay', (reason) => {
    expect(minutesLater(reason, 0)).toBe('a person');
  });
});
