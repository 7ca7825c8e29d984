import { z } from 'zod';
import { type Operations, operation, success } from '../aws/json-protocol.ts';
import { connectionOperations } from './connections.ts';
import { destinationOperations } from './destinations.ts';
import { type PutEventsDeps, putEvents } from './put-events.ts';
import type { EventRecords } from './records.ts';
import { findBus, noBus, type RuleDeps, ruleOperations } from './rules.ts';

export const eventsProtocol = { prefix: 'AWSEvents', version: '1.1' };

/** The operations of EventBridge that functions use. */
export const eventOperations = (deps: PutEventsDeps & RuleDeps & { records: EventRecords }): Operations => ({
  PutEvents: putEvents(deps),
  DescribeEventBus: operation(z.strictObject({ Name: z.string().default('default') }), ({ Name }) => {
    const bus = findBus(deps.buses, Name);
    return bus ? success({ Name: bus.name, Arn: bus.arn }) : noBus(Name);
  }),
  ...ruleOperations(deps),
  ...connectionOperations(deps.records, deps.now),
  ...destinationOperations(deps.records, deps.now),
});
