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
export type AnyStage = Pick<TestStage, 'baseUrl' | 'authUrl' | 'dataDir'> & { settled?: () => Promise<void> };

/** Endpoints for partners of a stage, and transactions that nobody has changed, in groups of their own: every test takes one. */
export const openEventPlace = async (stage: () => AnyStage) => {
  const receiver = await startWebhookReceiver();
  const operate = operatorOf(stage());

  let groups = 0;
  let made = 0;
  /** Imports a transaction at each of these locations of a group. */
  const imported = async (group: string, ...locations: string[]): Promise<string[]> => {
    const lines = locations.map((location) => {
      made += 1;
      return untouched(uuidOf(made), { group, location });
    });
    await importInto(stage(), lines);
    return lines.map(({ uuid }) => uuid);
  };
  const partner = async (name: string, grant: string, ...more: string[]) => {
    const endpoint = ['--webhook-url', `${receiver.url}/${name}`];
    // A stage in this process says when it is done; the command would ask it once a second.
    const { settled } = stage();
    const credentials = await operate<DemoPartner>(
      ...['partner', 'create', '--name', name, '--grant', grant, ...endpoint, ...more],
      ...(settled ? ['--no-wait'] : []),
    );
    await settled?.();
    return { ...credentials, program: await aPartnerProgram(stage(), credentials) };
  };
  const notifiedTo = (name: string): NotifiedMessage[] =>
    receiver.takenBy(name).map((one) => ({ ...one, message: JSON.parse(one.body) }));
  return {
    receiver,
    operate,
    imported,
    partner,
    /** A transaction that is still unchanged, the group that is its own, and a partner that sees this group. */
    aCase: async (name: string, ...more: string[]) => {
      groups += 1;
      const group = `G${groups}`;
      const [uuid = ''] = await imported(group, anOwner().location);
      return { uuid, group, ...(await partner(name, `group=${group}`, ...more)) };
    },
    /** The messages that a partner took, in order. */
    notifiedTo,
    /** The same of one transaction, short: type and versions, and what `detail` has beside `uuid`, `status` and `ndMeta`. */
    toldTo: (name: string, about: string) =>
      notifiedTo(name)
        .filter(({ message }) => message.detail.uuid === about)
        .map(({ message, headers }) => {
          const { uuid: _, status: __, ndMeta: ___, ...elements } = message.detail;
          const range = `${headers['X-Transaction-From-Version']}-${headers['X-Transaction-Version']}`;
          return { [String(message['detail-type'])]: range, ...elements };
        }),
    /** All requests to a partner. */
    askedOf: (name: string): Webhook[] => receiver.received.filter((one) => one.partner === name),
  };
};

export type EventPlace = Awaited<ReturnType<typeof openEventPlace>>;
export type Case = Awaited<ReturnType<EventPlace['aCase']>>;
type Changed = Pick<Case, 'program' | 'uuid'>;

/** A change by a partner, which must be accepted. */
export const change = async ({ program, uuid }: Changed, body: object) =>
  accepted(await program.write('PATCH', `/api/v2/transaction/${uuid}`, body));

/** A payment by a partner, which completes the transaction. */
export const pay = async ({ program, uuid }: Changed) =>
  accepted(
    await program.write('POST', '/api/v2/payment', {
      ...{ transaction: uuid, type: 1, value: '250.00', status: 1 },
    }),
  ).json();

const accepted = <Answer extends { status: number; text: string }>(answer: Answer): Answer => {
  if (answer.status >= 300) throw new Error(`${answer.status}: ${answer.text}`);
  return answer;
};

const untouched = (uuid: string, owner: { group: string; location: string }) => ({
  ...{ uuid, status: 0, ndMeta: anOwner(owner), customer: { firstName: 'Ann' } },
  extras: [{ id: 1, name: 'Rubber mats', price: '65.00' }],
});
