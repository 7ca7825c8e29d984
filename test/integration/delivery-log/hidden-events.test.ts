import { expect, test } from '@jest/globals';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { createDeliveryLogPages } from '../../../functions/shared/store/debounce/delivery-log-page.ts';
import { aV2Partner } from '../../support/apis/v2-partner.ts';
import { anEvent, claimedAtMs, someBodies } from '../../support/builders/events.ts';
import { clientOf, documentsOf } from '../../support/engine/engine.ts';
import { useEngine } from '../../support/engine/use-engine.ts';

const engine = useEngine();
const hiddenId = '00000000-0000-4000-8000-000000000001';
const absentId = '00000000-0000-4000-8000-000000000002';

/** A delivery log with an event of many others, and the requests to its table with their results. */
const aHiddenEvent = async () => {
  const traffic: unknown[] = [];
  const documents = documentsOf(clientOf(engine.endpoint));
  documents.middlewareStack.add(
    (next, { commandName = '' }) =>
      async (args) => {
        const answer = await next(args);
        const { Item, Items } = answer.output as { Item?: unknown; Items?: unknown };
        traffic.push({ commandName, Item, Items });
        return answer;
      },
    { step: 'initialize' },
  );
  const access = { documents, debounceTable: 'Debounce', clock: () => new Date(claimedAtMs) };
  const recipients = Array.from({ length: 5_000 }, (_, index) => `partner-of-others-${index}`);
  const event = anEvent({ eventId: hiddenId, recipients });
  await createDeliveryLogStore(access).addMissing({ event, bodies: someBodies, deliveries: [] });
  return { traffic, deliveryLog: { ...createDeliveryLogStore(access), ...createDeliveryLogPages(access) } };
};

test('S-36 an event for thousands of others takes the same requests as an unknown one, and nothing of it leaves the table', async () => {
  const { traffic, deliveryLog } = await aHiddenEvent();
  const { get } = await aV2Partner({ deliveryLog });
  const answerTo = async (id: string) => {
    traffic.length = 0;
    const { status } = await get(`/api/v2/event/${id}`);
    return { status, traffic: [...traffic] };
  };

  const ofHidden = await answerTo(hiddenId);
  const ofAbsent = await answerTo(absentId);

  expect(ofHidden).toEqual(ofAbsent);
  expect(ofHidden).toEqual({
    status: 404,
    traffic: [
      { commandName: 'GetItemCommand', Item: undefined, Items: undefined },
      { commandName: 'QueryCommand', Item: undefined, Items: [] },
    ],
  });
});

test('I16 each of thousands of recipients finds its delivery before it has a row', async () => {
  const { deliveryLog } = await aHiddenEvent();

  const found = await deliveryLog.delivery({ eventId: hiddenId, clientId: 'partner-of-others-4999' });
  const partOfAName = await deliveryLog.delivery({ eventId: hiddenId, clientId: 'partner-of-others-' });

  expect(found).toMatchObject({ clientId: 'partner-of-others-4999', state: 'READY' });
  expect(partOfAName).toBeUndefined();
});
