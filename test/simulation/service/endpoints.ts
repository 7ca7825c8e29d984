import { PutTargetsCommand } from '@aws-sdk/client-eventbridge';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import {
  type EndpointSettings,
  endpointName,
} from '../../../functions/shared/outbound/endpoint/definition.ts';
import type { EventBridge } from '../../../functions/shared/outbound/endpoint/state.ts';
import type { Random } from '../../support/builders/random.ts';
import { createMemoryEventBridge } from '../../support/memory/event-bridge.ts';
import { makeEndpoint } from '../../support/stage/made-endpoint.ts';
import type { Kernel } from '../kernel/kernel.ts';

export const endpointSettings: EndpointSettings = {
  stage: 'local',
  busName: 'bus',
  deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
  deadLetterQueueArn: 'arn:aws:sqs:eu-west-2:000000000000:DeadLetters',
};

/** How long the bus drops events of a rule whose first target is new (the function assumes 60 s). */
const longestUnknownMs = 55_000;

/** What the bus has of partners' endpoints: rules, targets, API destinations, connections. */
export const createEndpointParts = ({
  kernel,
  random,
}: {
  kernel: Pick<Kernel, 'nowMs'>;
  random: Random;
}) => {
  const memory = createMemoryEventBridge();
  const knownFromMs = new Map<string, number>();

  const send = (command: { input: object }): Promise<object> => {
    if (command instanceof PutTargetsCommand) {
      const { Rule = '' } = command.input;
      const isFirst = memory.rules.get(Rule)?.targets.length === 0;
      if (isFirst) knownFromMs.set(Rule, kernel.nowMs() + random.integer(0, longestUnknownMs));
    }
    return memory.send(command as never) as Promise<object>;
  };

  const targetOf = (clientId: string) => {
    const rule = memory.rules.get(endpointName(endpointSettings, clientId));
    return rule?.State === 'ENABLED' ? rule.targets[0] : undefined;
  };

  return {
    send,
    /** Made before the world begins. */
    make: (partner: Partner, signature: string): Promise<void> => {
      const access = { client: memory as EventBridge, settings: endpointSettings };
      return makeEndpoint({ partner, signature }, access);
    },
    /** Where the bus sends a partner's events; undefined where its rule has no target. */
    addressOf: (clientId: string): string | undefined => {
      const target = targetOf(clientId);
      const destinations = [...memory.destinations.values()];
      return target && destinations.find(({ Arn }) => Arn === target.Arn)?.InvocationEndpoint;
    },
    /** Whether what comes for a partner now meets its target. */
    isTaken: (clientId: string): boolean =>
      targetOf(clientId) !== undefined &&
      (knownFromMs.get(endpointName(endpointSettings, clientId)) ?? 0) <= kernel.nowMs(),
    /** What the bus has of a partner's endpoint. */
    partsOf: (clientId: string): string[] => {
      const name = endpointName(endpointSettings, clientId);
      const { connections, destinations, rules } = memory;
      const parts = { connection: connections, destination: destinations, rule: rules };
      return Object.entries(parts).flatMap(([part, some]) => (some.has(name) ? [part] : []));
    },
  };
};

export type EndpointParts = ReturnType<typeof createEndpointParts>;
