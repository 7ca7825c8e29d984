import { beforeAll, expect, test } from '@jest/globals';
import { createPartnerStore } from '../../../bin/operator/store/partners/store.ts';
import type { handler } from '../../../functions/collect-dead-letters/index.ts';
import type { Delivery } from '../../../functions/shared/domain/event/delivery.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import { aPartner } from '../../support/builders/a-partner.ts';
import { aDeadLetter, busEventText, type Failure } from '../../support/builders/dead-letters.ts';
import { aDelivery, anEvent, someBodies } from '../../support/builders/events.ts';
import { templatesOf } from '../../support/engine/templates.ts';
import { refusal } from '../../support/functions/aws.ts';
import { heldAtMs, useFunctions } from '../../support/functions/use-functions.ts';
import { rightsOf } from '../../support/rights/rights.ts';

const functions = useFunctions();
let collect: typeof handler;

const deliveryLog = () => {
  const { documents } = functions;
  return createDeliveryLogStore({ documents, debounceTable: 'Debounce', clock: () => new Date() });
};

beforeAll(async () => {
  collect = await functions.start('collect-dead-letters');
  const kept = { webhookUrl: 'https://p.example/', webhookPaused: 'operator' } as const;
  const partner = aPartner({ clientId: 'PAUSED', name: 'Paused', ...kept });
  const partners = createPartnerStore({ documents: functions.documents, partnersTable: 'Partners' });
  await partners.create({ partner, secrets: [] }, 'signature');
});

const aLetterTo = (clientId: string, eventId: string, failure: Failure) =>
  aDeadLetter({ messageId: clientId, body: busEventText({ eventId, clientId }), ...failure });

/** A letter of an event that the bus has accepted for this partner; another one’s row is not written yet. */
const aLetter = async (eventId: string, clientId: string, failure: Failure) => {
  await deliveryLog().addMissing({
    event: anEvent({ eventId, recipients: [clientId, 'PENDING'] }),
    bodies: someBodies,
    deliveries: [aDelivery({ eventId, clientId, state: 'ACCEPTED', busEventId: 'bus-1' })],
  });
  return aLetterTo(clientId, eventId, failure);
};
const stateOf = async (eventId: string, clientId: string): Promise<Partial<Delivery>> =>
  (await deliveryLog().delivery({ eventId, clientId })) ?? {};

const failed = { message: 'failed because status 404 was returned' };
const withoutTarget = { code: 'NO_RESOURCE' };

test('EV-12 a delivery that an endpoint refused is dead, its endpoint is checked, and the metric is reported', async () => {
  const answer = await collect({ Records: [await aLetter('refused', 'P1', failed)] });

  expect(answer).toEqual({ batchItemFailures: [] });
  expect(await stateOf('refused', 'P1')).toMatchObject({
    state: 'DEAD',
    timeline: expect.arrayContaining([expect.objectContaining({ step: 'dead', atMs: heldAtMs })]),
  });
  expect(functions.aws.sent()).toMatchObject([
    { queue: 'endpoints.fifo', MessageBody: '{"clientId":"P1","isUndelivered":true}', MessageGroupId: 'P1' },
  ]);
  expect(functions.logged('DELIVERY_DEAD')).toMatchObject([
    { service: 'collect-dead-letters', clientId: 'P1' },
  ]);
  expect(functions.reported()).toEqual([{ service: 'collect-dead-letters', DeadLetters: 1 }]);
});

test('EV-13 a delivery that died for a missing target is kept for a paused partner, and otherwise ends', async () => {
  const letters = [
    await aLetter('kept', 'PAUSED', withoutTarget),
    await aLetter('ended', 'GONE', withoutTarget),
  ];

  await collect({ Records: letters });

  expect([await stateOf('kept', 'PAUSED'), await stateOf('ended', 'GONE')]).toMatchObject([
    { state: 'HELD' },
    { state: 'SUPPRESSED', reason: 'DISABLED' },
  ]);
});

test('EV-12 a check that cannot be requested does not return the letter, and the metric is reported', async () => {
  functions.aws.interfere(({ target }) =>
    target.startsWith('AmazonSQS.') ? refusal('AccessDenied') : undefined,
  );

  const answer = await collect({ Records: [await aLetter('unasked', 'P1', failed)] });
  functions.aws.interfere();

  expect(answer).toEqual({ batchItemFailures: [] });
  expect(functions.logged('CHECK_NOT_ASKED')).toMatchObject([{ service: 'collect-dead-letters' }]);
});

test('S-50 S-66 letters need the rights of the collector’s role, whatever is recorded of their delivery', async () => {
  const known = await aLetter('rights', 'P1', withoutTarget);
  const letters = [known, aLetterTo('PENDING', 'rights', failed), aLetterTo('P3', 'rights', failed)];

  await collect({ Records: letters });

  expect(await stateOf('rights', 'PENDING')).toMatchObject({ state: 'DEAD' });
  expect(functions.logged('DEAD_LETTER_UNKNOWN')).toMatchObject([{ clientId: 'P3' }]);
  const granted = rightsOf(templatesOf('production').service, 'collect-dead-letters');
  expect(functions.aws.rightsUsed()).toEqual(granted.filter((right) => right.includes('dynamodb:')));
});
