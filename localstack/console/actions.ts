import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { type Outcome, refuse, succeed } from '../../functions/shared/domain/outcome.ts';
import { configOf } from '../../lib/config.ts';
import { counted } from '../../lib/counted.ts';
import { type Client, isTransactionsError } from '../../partner-kit/src/index.ts';
import type { StageClock } from '../clock/stage-clock.ts';
import { type DemoUser, demoUsers } from '../demo/identity-provider.ts';
import type { Tell } from '../feed/happening.ts';
import { type Condition, type Conditions, conditions } from '../webhook-receiver/condition.ts';
import type { CheckoutPage } from './checkout-page.ts';

/** Over the rest of a change, where nobody shortened it. */
export const restSeconds = configOf('local').eventTimes.dormancySeconds;
/** And over most retries and a token; over the age at which an event is given up; over what is kept for 30 days. */
const clockMoves = [restSeconds, 3_600, 90_000, 2_678_400];

const action = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal(['edit', 'pay', 'delete']), uuid: z.string().max(50) }),
  z.strictObject({ do: z.literal('replay'), partner: z.string().max(100), eventId: z.string().max(50) }),
  z.strictObject({ do: z.literal('checkout'), as: z.enum(demoUsers).optional() }),
  z.strictObject({ do: z.literal('clock'), seconds: z.literal(clockMoves) }),
  z.strictObject({ do: z.literal('receiver'), partner: z.string().max(100), condition: z.enum(conditions) }),
]);

/** Does what a button of the page asks for; the sentence is for the person who pressed it. */
export type Act = (wanted: unknown) => Promise<Outcome<string, string>>;

export type ActionDeps = {
  /** Of a demo partner by its name, as an API client of its own. */
  clientOf: (partner: string) => Client | undefined;
  /** The one of a demo partner that may write the transaction, or of none. */
  clientFor: (uuid: string) => Promise<Client | undefined>;
  /** Undefined where there is no demo storefront. */
  checkoutPage: CheckoutPage | undefined;
  conditions: Conditions;
  clock: Pick<StageClock, 'moveOn' | 'now'>;
  tell: Tell;
};

/** Changes and replays go through the public API, with the credentials of a demo partner. */
export const createActions =
  (deps: ActionDeps): Act =>
  async (wanted) => {
    const parsed = action.safeParse(wanted);
    if (!parsed.success) return refuse('The console does not know this action.');
    const { data } = parsed;
    switch (data.do) {
      case 'edit':
      case 'pay':
      case 'delete':
        return answerOf(await deps.clientFor(data.uuid), changes[data.do], data.uuid);
      case 'replay':
        return answerOf(deps.clientOf(data.partner), replay, data.eventId);
      case 'checkout':
        return data.as ? checkOutAs(data.as, deps) : checkOut(deps);
      case 'clock':
        return moveClock(data.seconds, deps);
      case 'receiver':
        return chooseCondition(data, deps);
      default:
        return data satisfies never;
    }
  };

const moveClock = (seconds: number, { clock }: ActionDeps) => {
  clock.moveOn(seconds * 1000);
  return succeed(`It is ${clock.now().toISOString()} in the stage.`);
};

const chooseCondition = (
  { partner, condition }: { partner: string; condition: Condition },
  { conditions, tell }: ActionDeps,
) => {
  conditions.choose(partner, condition);
  tell({ kind: 'receiver', partner, condition });
  return succeed(`The receiver of ${partner}: ${condition}.`);
};

/** Sends a request for what the id names; answers what to say when it is done. */
type Send = (client: Client, id: string) => Promise<string>;

const changes: Record<'edit' | 'pay' | 'delete', Send> = {
  edit: async ({ transactions }, uuid) => {
    const mobile = `07700 900${String(randomInt(1000)).padStart(3, '0')}`;
    await transactions.update(uuid, { customer: { mobile } });
    return `The mobile of ${uuid} is ${mobile} now.`;
  },
  pay: async ({ payments }, uuid) => {
    await payments.create({ transaction: uuid, type: 1, value: '250.00', status: 1 });
    return `${uuid} is paid and complete.`;
  },
  delete: async ({ transactions }, uuid) => {
    await transactions.update(uuid, { isDeleted: 1 });
    return `${uuid} is deleted.`;
  },
};

const replay: Send = async ({ events }, eventId) => {
  await events.replay(eventId);
  return `The event ${eventId} is sent again.`;
};

const answerOf = async (
  client: Client | undefined,
  send: Send,
  id: string,
): Promise<Outcome<string, string>> => {
  if (!client) return refuse('No demo partner may do this.');
  try {
    return succeed(await send(client, id));
  } catch (error) {
    if (isTransactionsError(error)) return refuse(error.message);
    throw error;
  }
};

const entered = () => ({
  customer: { firstName: 'Robin', lastName: `Visitor ${randomInt(1000)}` },
  vehicle: { make: 'Volkswagen', model: 'Polo' },
});

const noStorefront = refuse('There is no demo storefront.');

const checkOut = async ({ checkoutPage }: ActionDeps): Promise<Outcome<string, string>> =>
  checkoutPage ? answered('POST /api/transaction', await checkoutPage.checkOut(entered())) : noStorefront;

/** Each press is another device of the same user. */
const checkOutAs = async (user: DemoUser, { checkoutPage }: ActionDeps): Promise<Outcome<string, string>> => {
  if (!checkoutPage) return noStorefront;
  const { status, open } = await checkoutPage.checkOutAs(user, entered());
  if (status >= 300) return answered('POST /api/session', { status });
  return succeed(
    `${user} signed in on a new device and has ${counted(open, 'open checkout')} on every device.`,
  );
};

const answered = (request: string, { status }: { status: number }): Outcome<string, string> => {
  const said = `${request} answered ${status}.`;
  return status < 300 ? succeed(said) : refuse(said);
};
