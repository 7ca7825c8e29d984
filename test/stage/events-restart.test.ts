import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type EventStage, startEventStage } from '../support/stage/event-stage.ts';

jest.setTimeout(180_000);

let events: EventStage;
beforeAll(async () => {
  events = await startEventStage();
}, 120_000);
afterAll(() => events.stop(), 30_000);

/**
 * Two changes under way: one that still rests, and one whose message the endpoint has refused for now.
 */
const onTheirWay = async (name: string) => {
  const refused = await events.aCase(`${name}-refused`);
  const resting = await events.aCase(`${name}-resting`);
  events.receiver.answers(`${name}-refused`, () => 503);
  await refused.program.write('PATCH', `/api/v2/transaction/${refused.uuid}`, {
    customer: { lastName: 'Example' },
  });
  await events.whenAsked(`${name}-refused`, 1);
  await resting.program.write('PATCH', `/api/v2/transaction/${resting.uuid}`, {
    customer: { lastName: 'Example' },
  });
  return { refused, resting };
};

describe.each(['stop', 'kill'] as const)('a stage that ends by %s and starts again', (how) => {
  test('RUN-1 I1 sends what rested, and tries again what was refused', async () => {
    const { refused, resting } = await onTheirWay(how);

    await events.restart(how);
    events.receiver.answers(`${how}-refused`, () => 204);
    const [late] = await events.whenNotified(`${how}-refused`, 1);
    const [notified] = await events.whenNotified(`${how}-resting`, 1);

    const asked = events.receiver.received.filter(({ partner }) => partner === `${how}-refused`);
    expect(new Set(asked.map(({ body }) => body)).size).toBe(1);
    expect(late?.message.detail).toMatchObject({ uuid: refused.uuid, customer: { lastName: 'Example' } });
    expect(notified?.message.detail).toMatchObject({ uuid: resting.uuid, customer: { lastName: 'Example' } });
    await events.whenStates(refused.clientId, 'DELIVERED');
    await events.whenStates(resting.clientId, 'DELIVERED');
  });
});
