import { expect, test } from '@jest/globals';
import { createHandler, type Deps } from '../../../../functions/publish-dormant/handler.ts';
import { sendTest } from '../../../../functions/publish-dormant/send-test.ts';
import type { ServedPartner } from '../../../../functions/shared/domain/event/recipient.ts';
import type { SendDeps } from '../../../../functions/shared/events/send.ts';
import type { BusAnswer, BusEntry } from '../../../../functions/shared/outbound/event-bus.ts';
import { aPartner } from '../../../support/builders/a-partner.ts';
import { createMemoryDebounceTable } from '../../../support/memory/debounce-table.ts';

const clock = () => new Date('2026-03-01T12:00:00Z');
const asked = { clientId: 'P1', eventId: '1e0c' };

const aSender = (partner: ServedPartner | undefined, answer: BusAnswer = { outcome: 'unconfirmed' }) => {
  const table = createMemoryDebounceTable(clock);
  const entries: BusEntry[] = [];
  const deps = {
    ...{ table, clock, origin: { source: 'svc.local.online-payments', region: 'eu-west-2' } },
    partners: { byClientIds: async () => new Map(partner ? [['P1', partner]] : []) },
    bus: {
      put: async (given: readonly BusEntry[]) => {
        entries.push(...given);
        return [answer];
      },
    },
  } as unknown as SendDeps;
  const handler = createHandler({
    sending: { ...deps, log: () => {}, isStopped: async () => false },
    report: () => {},
  } as unknown as Deps);
  const call = (...bodies: string[]) =>
    handler(
      { Records: bodies.map((body, index) => ({ body, messageId: `m${index}` })) },
      { awsRequestId: 'one', getRemainingTimeInMillis: () => 15_000 },
    );
  return { entries, lines: () => table.lines, send: () => sendTest(asked, deps), call };
};

const ready = aPartner({ clientId: 'P1', webhookUrl: 'https://p.example/', oauthScopes: ['nop2/read'] });

test('V2-12 a test goes to its partner alone, with the id of the order and no version, and is a line of its log', async () => {
  const { entries, lines, send } = aSender(ready, { outcome: 'accepted', busEventId: 'b' });

  expect(await send()).toBe(true);

  expect(entries).toMatchObject([{ clientId: 'P1', eventId: '1e0c', type: 'WebhookTest', from: 0, to: 0 }]);
  expect(JSON.parse(entries[0]?.message ?? '')).toMatchObject({
    ...{ id: '1e0c', 'detail-type': 'WebhookTest', time: '2026-03-01T12:00:00Z', detail: {} },
  });
  expect(lines()).toMatchObject([{ ...asked, uuid: '', outcome: 'SENT', busEventId: 'b' }]);
});

test.each<[string, ServedPartner | undefined, string]>([
  ['deleted', undefined, 'DISABLED'],
  ['paused', { ...ready, webhookPaused: 'partner' }, 'PAUSED'],
  ['not served by the bus yet', { ...ready, isUnserved: true }, 'NOT_READY'],
])(
  'V2-12 a test for a partner that is %s meanwhile is withheld with the reason',
  async (_, partner, reason) => {
    const { entries, lines, send } = aSender(partner);

    expect(await send()).toBe(true);

    expect(entries).toEqual([]);
    expect(lines()).toMatchObject([{ ...asked, outcome: 'WITHHELD', reason }]);
  },
);

test('V2-12 a test that the bus refuses is failed; one without an answer comes again, without a line', async () => {
  const refused = aSender(ready, { outcome: 'refused', code: 'X' });
  const unanswered = aSender(ready);

  expect([await refused.send(), await unanswered.send()]).toEqual([true, false]);

  expect(refused.lines()).toMatchObject([{ outcome: 'FAILED', reason: 'REFUSED_BY_BUS' }]);
  expect(unanswered.lines()).toEqual([]);
});

test('V2-12 of the messages of one call those come again whose tests the bus did not answer', async () => {
  const accepted = aSender(ready, { outcome: 'accepted', busEventId: 'b' });
  const unanswered = aSender(ready);
  const bodies = ['test P1 1e0c', 'test P2 2e0c'];

  // P2 is gone, so its test is withheld.
  expect((await accepted.call(...bodies)).batchItemFailures).toEqual([]);
  expect((await unanswered.call(...bodies)).batchItemFailures).toEqual([{ itemIdentifier: 'm0' }]);
});
