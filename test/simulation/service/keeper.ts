import type { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import type { SQSEvent } from 'aws-lambda';
import { createHandler } from '../../../functions/keep-endpoints/handler.ts';
import { newPass } from '../../../functions/shared/events/passes.ts';
import { createLaterRequest } from '../../../functions/shared/outbound/endpoint-requests.ts';
import { createMemoryInspections } from '../../support/memory/endpoint-world.ts';
import type { Process, Processes } from '../kernel/process.ts';
import { type EndpointParts, endpointSettings } from './endpoints.ts';
import type { Receivers } from './receivers.ts';
import { type Service, type ServiceDeps, source, trueMsOf } from './service.ts';

export type KeeperDeps = Pick<ServiceDeps, 'ports'> & {
  processes: Processes;
  service: Pick<Service, 'endpointRequests' | 'queueOf' | 'sendingAgain' | 'log'>;
  endpoints: Pick<EndpointParts, 'send'>;
  receivers: Pick<Receivers, 'answersOf'>;
  /** Passes are lost on purpose. */
  forgets?: true | undefined;
};

/** `keep-endpoints`, each run over ports that belong to its own process: it may die between any two of its calls. */
export const createKeeper = (deps: KeeperDeps) => {
  const { processes, ports, service, endpoints, receivers, forgets } = deps;
  const inspections = createMemoryInspections();

  /** The SDK's client, as far as endpoints need it. */
  const rules = (process: Process) => ({
    send: (command: { constructor: { name: string }; input: object }) => {
      const method = command.constructor.name.replace('Command', '');
      return processes.step(process, { port: 'rules', method, args: [] }, () => endpoints.send(command));
    },
  });

  const probe = (process: Process, event: SQSEvent | object) => () =>
    processes.step(process, { port: 'probe', method: 'invoke', args: [] }, async () =>
      receivers.answersOf({ clientId: clientIdIn(event), atMs: trueMsOf(process, processes) }),
    );

  return (process: Process, event: SQSEvent | object) => {
    const { endpoints: records } = ports(process);
    const { table, newId } = service.sendingAgain(process);
    const clock = processes.clockOf(process);
    return createHandler({
      ...{ endpoints: records, inspections, clock, log: service.log },
      bus: { client: rules(process) as unknown as EventBridgeClient, settings: endpointSettings },
      requests: service.endpointRequests(process),
      pollLater: createLaterRequest(service.queueOf(process, 'endpoints')),
      // Becoming `on` makes everything due; a resume has put its pass itself.
      sendKept: async (clientId) => {
        const { status } = await records.read(clientId);
        const nowMs = clock().getTime();
        if (!forgets && nowMs - (status?.servesFromMs ?? 0) < 15 * 60_000)
          await table.save(newPass({ clientId, does: 'wake' }, nowMs, { newId, leaseMs: 20_000 }));
        return {};
      },
      endKept: async () => ({}),
      probe: probe(process, event),
      origin: { source, region: 'eu-west-2' },
      rules: { allowsLoopback: false },
      effectMs: 60_000,
      random: (size) => new Uint8Array(size).fill(7),
      wait: (ms) => processes.sleep(process, ms),
      report: () => {},
    })(event);
  };
};

/** The partner that a run works on. */
const clientIdIn = (event: SQSEvent | object): string =>
  'Records' in event ? JSON.parse(event.Records[0]?.body ?? '{}').clientId : '';
