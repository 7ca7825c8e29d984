import { expect, test } from '@jest/globals';
import { createHandler } from '../../../functions/collect-dead-letters/handler.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { createPartnerDirectory } from '../../../functions/shared/store/partners/directory.ts';
import { aDeadLetter, busEventText } from '../../support/builders/dead-letters.ts';
import { aDelivery, anEvent, claimedAtMs, someBodies } from '../../support/builders/events.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { startRecorder } from '../../support/rights/recorder.ts';
import { tableRights } from '../../support/rights/recording-engine.ts';
import { rightsOf } from '../../support/rights/rights.ts';

const engine = useEngine();
const clock = () => new Date(claimedAtMs + 60_000);

/** An event for two partners, one of whom has its row; and the collector, whose requests are recorded. */
const aCollector = async () => {
  const recorder = await startRecorder(engine.endpoint, tableRights);
  const deliveryLogAt = (endpoint: string) =>
    createDeliveryLogStore({ documents: documentsOf(clientOf(endpoint)), debounceTable: 'Debounce', clock });
  const deliveryLog = deliveryLogAt(engine.endpoint);
  const deliveries = [aDelivery({ state: 'ACCEPTED', busEventId: 'bus-1' })];
  await deliveryLog.addMissing({
    event: anEvent({ recipients: ['P1', 'P2'] }),
    bodies: someBodies,
    deliveries,
  });
  const log: string[] = [];
  const collect = createHandler({
    deliveryLog: deliveryLogAt(recorder.endpoint),
    partners: createPartnerDirectory({
      ...{ documents: documentsOf(clientOf(recorder.endpoint)), partnersTable: 'Partners', clock },
    }),
    endpointRequests: { send: async () => {} },
    clock,
    log: (name) => log.push(name),
    report: () => {},
  });
  return { deliveryLog, recorder, log, collect };
};

test('S-50 S-66 letters need the rights of the collector’s role, whatever is recorded of their delivery', async () => {
  const { deliveryLog, recorder, log, collect } = await aCollector();
  const letterTo = (clientId: string) =>
    aDeadLetter({
      ...{ messageId: clientId, body: busEventText({ clientId }) },
      ...(clientId === 'P1' ? { code: 'NO_RESOURCE' } : { message: 'status 404' }),
    });

  const answer = await collect({ Records: ['P1', 'P2', 'P3'].map(letterTo) });
  recorder.stop();

  expect(answer).toEqual({ batchItemFailures: [] });
  expect(log.sort()).toEqual(['deadLetterUnknown', 'deliveryDead']);
  const { deliveries = [] } = (await deliveryLog.event('event-1')) ?? {};
  expect(deliveries.map(({ clientId, state }) => `${clientId} ${state}`)).toEqual([
    'P1 SUPPRESSED',
    'P2 DEAD',
  ]);
  const granted = rightsOf(templatesOf('production').service, 'collect-dead-letters');
  expect(recorder.usedBy('')).toEqual(granted.filter((right) => right.includes('dynamodb:')));
});
