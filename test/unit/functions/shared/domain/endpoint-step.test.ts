import { describe, expect, test } from '@jest/globals';
import type { EndpointStatus, EndpointWish } from '../../../../../functions/shared/domain/endpoint.ts';
import { unmended } from '../../../../../functions/shared/domain/endpoint-status.ts';
import { type EndpointPoll, nextEndpointStep } from '../../../../../functions/shared/domain/endpoint-step.ts';

const minute = 60_000;
const nowMs = 1_000 * minute;
const url = 'https://partner.example/hook';
const on: EndpointWish = { wanted: 'on', url, setAtMs: 1, signatureMadeAtMs: 1 };
const serving: EndpointStatus = {
  ...{ state: 'on', sinceMs: 5, reached: on, servedUrl: url, servedSetAtMs: 1, servesFromMs: 5 },
};
const whole: EndpointPoll['found'] = {
  parts: ['connection', 'destination', 'rule', 'target'],
  differences: [],
  isBusy: false,
};

const stepAfter = (poll: Partial<EndpointPoll>) =>
  nextEndpointStep({
    ...{ wish: on, status: serving, found: whole, nowMs, effectMs: minute },
    ...{ isUnchecked: false, isUndelivered: false, resumedAtMs: undefined },
    ...poll,
  });

describe('the next step of an endpoint', () => {
  test('I1 events are kept before anything is created, if the rule that should match them is disabled', () => {
    const { servesFromMs: _, ...unserved } = serving;

    const step = stepAfter({ found: { ...whole, differences: ['RULE_DISABLED'] } });

    expect(step).toEqual({ step: 'note', status: unserved });
  });

  test('EV-13 an endpoint that is off but said to be on, as after a death, is turned off once more', () => {
    const step = stepAfter({ wish: { wanted: 'none' }, status: { ...serving, state: 'off' } });

    expect(step).toMatchObject({ step: 'note', status: { state: 'off', sendsKeptAtMs: nowMs } });
    expect(step).not.toHaveProperty('status.servesFromMs');
  });

  test('V2-13 an endpoint that is turned off keeps the result of a requested check', () => {
    const checked = { id: 'c1', url, atMs: 7, status: 204 };

    const step = stepAfter({ wish: { wanted: 'none' }, status: { ...serving, checked } });

    expect(step).toMatchObject({ status: { state: 'off', checked } });
  });

  test('I1 an endpoint that fails its check while it is on waits for kept events, if that is sooner than the next check', () => {
    const failing: EndpointStatus = {
      ...serving,
      ...{ state: 'failing', reason: 'HTTP_500', tried: { wish: on, atMs: nowMs } },
      sendsKeptAtMs: nowMs + minute,
    };

    expect(stepAfter({ status: failing })).toEqual({ step: 'wait', untilMs: nowMs + minute });
  });

  test('EV-22 a connection that cannot be used and is busy is read again after five minutes, any other after five seconds', () => {
    const busy = { ...whole, isBusy: true };
    const refused: EndpointStatus = { ...serving, state: 'failing', reason: 'CONNECTION_NOT_AUTHORIZED' };

    expect(stepAfter({ found: busy })).toEqual({ step: 'wait', untilMs: nowMs + 5_000 });
    expect(stepAfter({ found: busy, status: refused })).toEqual({
      step: 'wait',
      untilMs: nowMs + 5 * minute,
    });
  });
});

test('EV-22 an endpoint that the bus refuses again has been failing since the first time', () => {
  const first = unmended(serving, { reason: 'rules-quota', wish: on, nowMs });
  const again = unmended(first, { reason: 'rules-quota', wish: on, nowMs: nowMs + 5 * minute });

  expect([first.sinceMs, again.sinceMs]).toEqual([nowMs, nowMs]);
});
