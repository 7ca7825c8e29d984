import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
import type { DemoPartner } from '../../../localstack/embedded/stack-file.ts';
import { anOwner, uuidOf } from '../builders/transactions.ts';
import { importInto, operatorOf } from './operator-of.ts';
import { aPartnerProgram } from './partner-client.ts';
import type { TestStage } from './stage.ts';
import { startWebhookReceiver, type Webhook } from './webhook-receiver.ts';

/** One message, read. */
export type NotifiedMessage = Webhook & { message: JsonObject & { id: string; detail: JsonObject } };

/** A stage, in this process or in one of its own. */
export type AnyStage = Pick<TestStage, 'baseUrl' | 'authUrl' | 'dataDir'>;

const groups = 60;

/** Endpoints for partners of a stage, and untouched transactions, each in a group of its own: every test takes one. */
export const openEventPlace = async (stage: () => AnyStage) => {
  const receiver = await startWebhookReceiver();
  const operate = operatorOf(stage());
  await importInto(
    stage(),
    Array.from({ length: groups }, (_, index) => untouched(uuidOf(index + 1), `G${index + 1}`)),
  );

  let taken = 0;
  const partner = async (name: string, grant: string, ...more: string[]) => {
    const endpoint = ['--webhook-url', `${receiver.url}/${name}`];
    const credentials = await operate<DemoPartner>(
      ...['partner', 'create', '--name', name, '--grant', grant, ...endpoint, ...more],
    );
    return { ...credentials, program: await aPartnerProgram(stage(), credentials) };
  };
  return {
    receiver,
    operate,
    partner,
    /** A transaction that is still unchanged, the group that is its own, and a partner that sees this group. */
    aCase: async (name: string) => {
      taken += 1;
      const group = `G${taken}`;
      return { uuid: uuidOf(taken), group, ...(await partner(name, `group=${group}`)) };
    },
    /** The messages that a partner took, in order. */
    notifiedTo: (name: string): NotifiedMessage[] =>
      receiver.takenBy(name).map((one) => ({ ...one, message: JSON.parse(one.body) })),
    /** All requests to a partner. */
    askedOf: (name: string): Webhook[] => receiver.received.filter((one) => one.partner === name),
  };
};

export type EventPlace = Awaited<ReturnType<typeof openEventPlace>>;
export type Case = Awaited<ReturnType<EventPlace['aCase']>>;

const untouched = (uuid: string, group: string) => ({
  ...{ uuid, status: 0, ndMeta: anOwner({ group }), customer: { firstName: 'Ann' } },
  extras: [{ id: 1, name: 'Rubber mats', price: '65.00' }],
});
