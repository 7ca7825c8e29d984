import { randomUUID } from 'node:crypto';
import type { TransactionEvent } from '../shared/domain/event/event.ts';
import { testEventIdOf, testEventType } from '../shared/domain/event/event.ts';
import { type MessageOrigin, renderTestMessage } from '../shared/domain/event/message.ts';
import { scheduledDelivery } from '../shared/domain/event/new-delivery.ts';
import { webhookTestPolicy } from '../shared/domain/rate-limit.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { json } from '../shared/http/response.ts';
import type { LimitedEvent } from '../shared/middleware/limit-rate.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { DeliveryLogStore } from '../shared/store/debounce/delivery-log-store.ts';
import { presentDelivery } from './event-body.ts';
import { type OrderDeps, orderSending } from './sending-order.ts';

export type WebhookTestDeps = OrderDeps & {
  deliveryLog: Pick<DeliveryLogStore, 'addMissing'>;
  clock: Clock;
  origin: MessageOrigin;
  baseUrl: string;
};

/**
 * Schedules a WebhookTest, which is sent by the partner's own rule and destination, as other events are. Its delivery
 * shows the result (V2-12).
 */
export const testWebhook = async (event: LimitedEvent, deps: WebhookTestDeps): Promise<HandlerResult> =>
  orderSending(
    event,
    {
      ...{ route: 'v2/webhook/test', bytes: Buffer.from(event.body ?? ''), uuid: '' },
      policy: webhookTestPolicy,
      carryOut: (commandId) => scheduleTest(event.partner.clientId, commandId, deps),
    },
    deps,
  );

const scheduleTest = async (
  clientId: string,
  commandId: string | undefined,
  { deliveryLog, clock, origin, baseUrl }: WebhookTestDeps,
) => {
  const now = clock();
  const eventId = commandId === undefined ? randomUUID() : testEventIdOf(commandId, now);
  const event = testEvent(eventId, clientId, now.getTime());
  const delivery = scheduledDelivery(event, clientId, { atMs: now.getTime(), note: 'a test' });
  const plain = renderTestMessage({ id: event.eventId, publishedAt: now }, origin);
  await deliveryLog.addMissing({ event, bodies: { plain }, deliveries: [delivery] });
  const href = `${baseUrl}/v2/event/${event.eventId}`;
  return json(202, { ...presentDelivery(delivery), _links: { self: { href } } }, { Location: href });
};

const testEvent = (eventId: string, clientId: string, nowMs: number): TransactionEvent => ({
  eventId,
  type: testEventType,
  uuid: '',
  from: 0,
  to: 0,
  elements: [],
  omitted: [],
  changedAtMs: nowMs,
  claimedAtMs: nowMs,
  recipients: [clientId],
});
