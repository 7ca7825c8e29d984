import { randomInt } from 'node:crypto';
import { z } from 'zod';
import { type Outcome, refuse, succeed } from '../../functions/shared/domain/outcome.ts';
import { configOf } from '../../lib/config.ts';
import { counted } from '../../lib/counted.ts';
import type { StageClock } from '../clock/stage-clock.ts';
import { type DemoUser, demoUsers } from '../demo/identity-provider.ts';
import type { Tell } from '../feed/happening.ts';
import { type Condition, type Conditions, conditions } from '../webhook-receiver/condition.ts';
import type { CheckoutPage } from './checkout-page.ts';
import type { SendAsPartner } from './partner-program.ts';

/** Over the rest of a change, where nobody shortened it. */
export const restSeconds = configOf('local').eventTimes.dormancySeconds;
/** And over most retries and a token; over the age at which an event is given up; over what is kept for 30 days. */
const clockMoves = [restSeconds, 3_600, 90_000, 2_678_400];

const action = z.discriminatedUnion('do', [
  z.strictObject({ do: z.literal('edit'), uuid: z.string().max(50) }),
  z.strictObject({ do: z.literal('pay'), uuid: z.string().max(50) }),
  z.strictObject({ do: z.literal('checkout'), as: z.enum(demoUsers).optional() }),
  z.strictObject({ do: z.literal('clock'), seconds: z.literal(clockMoves) }),
  z.strictObject({ do: z.literal('receiver'), partner: z.string().max(100), condition: z.enum(conditions) }),
]);

/** Does what a button of the page asks for; the sentence is for the person who pressed it. */
export type Act = (wanted: unknown) => Promise<Outcome<string, string>>;

export type ActionDeps = {
  /** The program of a demo partner that may write the transaction, or of none. */
  programFor: (uuid: string) => Promise<SendAsPartner | undefined>;
  /** Undefined where there is no demo storefront. */
  checkoutPage: CheckoutPage | undefined;
  conditions: Conditions;
  clock: Pick<StageClock, 'moveOn' | 'now'>;
  tell: Tell;
};

/** Edits and payments go through the public API, with the credentials of a demo partner. */
export const createActions =
  (deps: ActionDeps): Act =>
  async (wanted) => {
    const parsed = action.safeParse(wanted);
    if (!parsed.success) return refuse('The console does not know this action.');
    const { data } = parsed;
    switch (data.do) {
      case 'edit':
        return edit(data.uuid, deps);
      case 'pay':
        return pay(data.uuid, deps);
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

const edit = (uuid: string, deps: ActionDeps) => {
  const mobile = `07700 900${String(randomInt(1000)).padStart(3, '0')}`;
  return sendTo(deps, uuid, 'PATCH', `/api/v2/transaction/${encodeURIComponent(uuid)}`, {
    customer: { mobile },
  });
};

const pay = (uuid: string, deps: ActionDeps) => {
  const payment = { transaction: uuid, type: 1, value: '250.00', status: 1 };
  return sendTo(deps, uuid, 'POST', '/api/v2/payment', payment);
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

const sendTo = async (
  { programFor }: ActionDeps,
  uuid: string,
  ...request: Parameters<SendAsPartner>
): Promise<Outcome<string, string>> => {
  const send = await programFor(uuid);
  return send ? told(send, ...request) : refuse('No demo partner may write this transaction.');
};

const told = async (
  send: SendAsPartner,
  ...[method, path, body]: Parameters<SendAsPartner>
): Promise<Outcome<string, string>> => {
  return answered(`${method} ${path}`, { status: await send(method, path, body) });
};

const answered = (request: string, { status }: { status: number }): Outcome<string, string> => {
  const said = `${request} answered ${status}.`;
  return status < 300 ? succeed(said) : refuse(said);
};
