import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { type Outcome, refuse, succeed } from '../../functions/shared/domain/outcome.ts';
import { configOf } from '../../lib/config.ts';
import { counted } from '../../lib/counted.ts';
import { type Client, isTransactionsError } from '../../partner-kit/src/index.ts';
import type { StageClock } from '../clock/stage-clock.ts';
import { type DemoUser, demoUsers } from '../demo/identity-provider.ts';
import type { Emit } from '../feed/happening.ts';
import { type Condition, type Conditions, conditions } from '../webhook-receiver/condition.ts';
import type { CheckoutPage } from './checkout-page.ts';

/** Dormancy, unless an option shortens it. */
export const restSeconds = configOf('local').eventTimes.dormancySeconds;
/** Seconds: past dormancy, past most retries and a token's end, past the bus's last try, past 30 days of retention. */
const clockMoves = [restSeconds, 3_600, 90_000, 2_678_400];

const action = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal(['edit', 'pay', 'delete']), uuid: z.string().max(50) }),
  z.strictObject({ do: z.literal('replay'), partner: z.string().max(100), eventId: z.string().max(50) }),
  z.strictObject({ do: z.literal('checkout'), as: z.enum(demoUsers).optional() }),
  z.strictObject({ do: z.literal('clock'), seconds: z.literal(clockMoves) }),
  z.strictObject({ do: z.literal('receiver'), partner: z.string().max(100), condition: z.enum(conditions) }),
]);

/** Performs the action of a button. The outcome is a sentence for the person. */
export type Act = (wanted: unknown) => Promise<Outcome<string, string>>;

export type ActionDeps = {
  /** The API client of a demo partner, by its name. */
  clientOf: (partner: string) => Client | undefined;
  /** The API client of a demo partner that may write the transaction. */
  clientFor: (uuid: string) => Promise<Client | undefined>;
  /** Undefined without a demo storefront. */
  checkoutPage: CheckoutPage | undefined;
  conditions: Conditions;
  clock: Pick<StageClock, 'moveOn' | 'now'>;
  emit: Emit;
};

/** Changes and replays use the public API, with a demo partner's credentials. */
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
  { conditions, emit }: ActionDeps,
) => {
  conditions.choose(partner, condition);
  emit({ kind: 'receiver', partner, condition });
  return succeed(`The receiver of ${partner}: ${condition}.`);
};

/** Sends a request about the id; returns a sentence about its success. */
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

/** Each call is another device of the same user. */
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
