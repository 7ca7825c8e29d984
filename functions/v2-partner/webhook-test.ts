import { randomUUID } from 'node:crypto';
import { testEventIdOf, testEventType } from '../shared/domain/event/event.ts';
import { webhookTestPolicy } from '../shared/domain/rate-limit.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { json } from '../shared/http/response.ts';
import type { LimitedEvent } from '../shared/middleware/limit-rate.ts';
import { type OrderDeps, orderSending } from './sending-order.ts';

export type WebhookTestDeps = OrderDeps & {
  /** Asks publish-dormant for a test with this id. */
  askForTest: (clientId: string, eventId: string) => Promise<void>;
  baseUrl: string;
};

/**
 * Asks for a WebhookTest, which is sent by the partner's own rule and destination, as other events are. A line of the
 * partner's log shows the result (V2-12).
 */
export const testWebhook = async (event: LimitedEvent, deps: WebhookTestDeps): Promise<HandlerResult> =>
  orderSending(
    event,
    {
      ...{ route: 'v2/webhook/test', bytes: Buffer.from(event.body ?? ''), uuid: '' },
      policy: webhookTestPolicy,
      carryOut: async (commandId) => {
        const id = commandId === undefined ? randomUUID() : testEventIdOf(commandId, deps.clock());
        await deps.askForTest(event.partner.clientId, id);
        const href = `${deps.baseUrl}/v2/event`;
        return json(202, { id, type: testEventType, state: 'waiting', _links: { events: { href } } });
      },
    },
    deps,
  );
