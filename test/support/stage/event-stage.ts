import { isDeepStrictEqual } from 'node:util';
import type { Delivery, DeliveryState } from '../../../functions/shared/domain/event/delivery.ts';
import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import { systemClock } from '../../../functions/shared/runtime/clock.ts';
import { createDeliveryLogStore } from '../../../functions/shared/store/debounce/delivery-log.ts';
import type { DemoPartner } from '../../../localstack/embedded/stack-file.ts';
import { anOwner, uuidOf } from '../builders/transactions.ts';
import { clientOf, documentsOf } from '../engine/engine.ts';
import { importInto, operatorOf } from './operator-of.ts';
import { aPartnerProgram } from './partner-client.ts';
import { startStage, type TestStage } from './stage.ts';
import { startWebhookReceiver, type Webhook } from './webhook-receiver.ts';

/** How long a change rests; the stage looks every second. */
export const dormancyMs = 2_000;
const args = ['--dormancy-seconds', '2', '--tick-seconds', '1'];
const groups = 60;
/** Long enough for a rest, a tick, and two cores that have other things to do. */
const patienceMs = 120_000;

/** One message, read. */
export type NotifiedMessage = Webhook & { message: JsonObject & { id: string; detail: JsonObject } };

/**
 * A stage with short times, endpoints for its partners, and untouched transactions, each in a group of its own: every test
 * takes one, so that tests may run at the same time.
 */
export const startEventStage = async () => {
  const receiver = await startWebhookReceiver();
  let stage = await startStage({ args });
  const operate = operatorOf(stage);
  await importInto(
    stage,
    Array.from({ length: groups }, (_, index) => untouched(uuidOf(index + 1), `G${index + 1}`)),
  );

  let taken = 0;
  const partner = async (name: string, grant: string, ...more: string[]) => {
    const endpoint = ['--webhook-url', `${receiver.url}/${name}`];
    const create = ['partner', 'create', '--name', name, '--grant', grant, ...endpoint, ...more];
    // On a busy machine the check of an address can time out.
    const credentials = await operate<DemoPartner>(...create).catch(async () => {
      await operate('partner', 'delete', name, '--yes');
      return operate<DemoPartner>(...create);
    });
    return { ...credentials, program: await aPartnerProgram(stage, credentials) };
  };
  const notifiedTo = (name: string): NotifiedMessage[] =>
    receiver.takenBy(name).map((one) => ({ ...one, message: JSON.parse(one.body) }));

  return {
    stage: () => stage,
    receiver,
    operate,
    partner,
    /** A transaction that is still unchanged, the group that is its own, and a partner that sees this group. */
    aCase: async (name: string) => {
      taken += 1;
      const group = `G${taken}`;
      return { uuid: uuidOf(taken), group, ...(await partner(name, `group=${group}`)) };
    },
    notifiedTo,
    /** The messages to a partner, once there are this many. */
    whenNotified: (name: string, count: number) =>
      until(
        () => notifiedTo(name),
        (told) => told.length >= count,
        `${name} was sent ${count} times`,
      ),
    whenAsked: (name: string, count: number) =>
      until(
        () => receiver.received.filter(({ partner }) => partner === name),
        (asked) => asked.length >= count,
        `${name} was asked ${count} times`,
      ),
    /** What the delivery log has for a partner, newest first, as soon as these are its states. */
    whenStates: (clientId: string, ...states: DeliveryState[]) =>
      until(
        () => deliveriesTo(clientId, stage),
        (found) =>
          isDeepStrictEqual(
            found.map(({ state }) => state),
            states,
          ),
        `the delivery log had ${states.join(', ')}`,
      ),
    restart: async (how: 'stop' | 'kill') => {
      if (how === 'kill') await stage.kill();
      stage = await stage.restart();
    },
    stop: async () => {
      await stage.stop();
      await receiver.stop();
    },
  };
};

export type EventStage = Awaited<ReturnType<typeof startEventStage>>;

const deliveriesTo = async (clientId: string, { stack }: TestStage): Promise<Delivery[]> => {
  const client = clientOf(stack.operator.endpoints.dynamodb);
  const { DEBOUNCE_TABLE: debounceTable = '' } = stack.operator.variables;
  const deliveryLog = createDeliveryLogStore({
    documents: documentsOf(client),
    debounceTable,
    clock: systemClock,
  });
  try {
    const found: Delivery[] = [];
    for await (const delivery of deliveryLog.deliveriesOfPartner(clientId, {})) found.push(delivery);
    return found;
  } finally {
    client.destroy();
  }
};

const until = async <Value>(
  look: () => Value | Promise<Value>,
  isWanted: (value: Value) => boolean,
  what: string,
): Promise<Value> => {
  const end = Date.now() + patienceMs;
  for (let value = await look(); ; value = await look()) {
    if (isWanted(value)) return value;
    if (Date.now() > end) throw new Error(`It never came to be that ${what}: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const untouched = (uuid: string, group: string) => ({
  ...{ uuid, status: 0, ndMeta: anOwner({ group }), customer: { firstName: 'Ann' } },
  extras: [{ id: 1, name: 'Rubber mats', price: '65.00' }],
});
