import { randomUUID } from 'node:crypto';
import { endpointWishOf } from '../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { EndpointMessage } from '../../../functions/shared/outbound/endpoint-requests.ts';
import type { CommandContext } from '../context.ts';
import { awaitedText } from '../output/webhook.ts';
import { awaitEndpoints, type Standing, wakeEndpoints } from '../partners/endpoint-wait.ts';
import { UserError } from '../user-error.ts';

type Named = Pick<Partner, 'clientId' | 'name'>;

/** `mostMs`: the longest wait. `checked`: an address to check as well. */
export type WaitOptions = { mostMs?: number; checked?: string | undefined };

/** The longest wait for a new address (RUN-5), and for a check. */
export const addressMs = 60_000;
/** EventBridge knows a new target after "a short period of time", for which keep-endpoints allows a minute. */
export const targetMs = 120_000;

/** The message that wakes `keep-endpoints` for a partner, and has `checked` checked where it is given. */
export const messageTo = (clientId: string, checked: string | undefined): EndpointMessage => ({
  clientId,
  ...(checked !== undefined && { check: { id: randomUUID(), url: checked } }),
});

/**
 * Waits until the endpoint matches the changed record. The command counts as done from here on: to end it stops only the
 * wait (DR-12).
 */
export const awaitEndpoint = async (
  context: CommandContext,
  partner: Named,
  options?: WaitOptions,
): Promise<Standing> => {
  await context.noteDone();
  return wakeAndWait(context, partner, options);
};

/** Waits until the bus has no resources of a partner that is about to be deleted. */
export const removeEndpoint = async (context: CommandContext, partner: Named): Promise<void> => {
  const { step } = await wakeAndWait(context, partner);
  if (step === 'reached') return;
  throw new UserError(
    `"${partner.name}" is disabled and has no webhook any more, but EventBridge still has resources of it: the service continues; run "partner delete ${partner.name}" again.`,
  );
};

const wakeAndWait = async (
  context: CommandContext,
  { clientId, name }: Named,
  { mostMs = targetMs, checked }: WaitOptions = {},
): Promise<Standing> => {
  const { deps } = context;
  const isStopped = (await deps.webhookSwitch.read()) !== undefined;
  const wish = endpointWishOf(await deps.partners.byClientId(clientId), isStopped);
  const awaited = await wakeEndpoints([messageTo(clientId, checked)], deps);
  const onPoll = once(() => context.terminal.note(awaitedText(name, wish, mostMs)));
  return onlyOne(await awaitEndpoints(awaited, { mostMs, onPoll }, deps));
};

/** `awaitEndpoint` for a command that shows a secret: a fault of the wait must not hide it, since it is shown once. */
export const awaitEndpointSafely = async (
  context: CommandContext,
  partner: Named,
  options?: WaitOptions,
): Promise<Standing | undefined> => {
  try {
    return await awaitEndpoint(context, partner, options);
  } catch (fault) {
    const { message } = fault as Error;
    context.terminal.note(
      `EventBridge may not be set up yet (${message}): "partner show ${partner.name}" shows its state.\n`,
    );
    return undefined;
  }
};

/** Has an address checked, which changes nothing, and returns the result. */
export const checkAddress = async (
  { deps, terminal }: CommandContext,
  { clientId, name }: Named,
  url: string,
) => {
  const awaited = await wakeEndpoints([messageTo(clientId, url)], deps);
  const onPoll = once(() =>
    terminal.note(`Waiting until ${url} has answered (${addressMs / 1000} s at most) …\n`),
  );
  const patience = { mostMs: addressMs, onPoll, until: 'check' } as const;
  const { check } = onlyOne(await awaitEndpoints(awaited, patience, deps));
  if (check) return check;
  throw new UserError(
    `The check of ${url} for "${name}" has no result after ${addressMs / 1000} s: run the command again. Nothing was changed.`,
  );
};

const once = (work: () => void) => {
  let isDone = false;
  return () => {
    if (!isDone) work();
    isDone = true;
  };
};

const onlyOne = <One>([first]: readonly One[]): One => {
  if (first === undefined) throw new Error('One partner was asked for, and none was answered');
  return first;
};
