import { endpointWishOf } from '../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { CommandContext } from '../context.ts';
import type { OperatorDeps } from '../deps.ts';
import { progressOf } from '../output/progress.ts';
import { awaitEndpoints, wakeEndpoints } from '../partners/endpoint-wait.ts';
import { messageTo, targetMs } from './webhook-wait.ts';

/** Partners whose endpoint does not match the record: failing, or not reached within the wait. */
export type PartnersStanding = { failing: { name: string; reason: string | null }[]; waiting: string[] };

/** Every partner with a webhook, paused and disabled ones included. */
export const withWebhooks = async ({ partners }: Pick<OperatorDeps, 'partners'>): Promise<Partner[]> =>
  (await partners.all()).filter(({ webhookUrl }) => webhookUrl !== undefined);

/**
 * Wakes `keep-endpoints` for all partners and waits while they make progress. With `areChecked` each endpoint that should be
 * on is checked too: its status alone may be older than the call.
 */
export const awaitPartners = async (
  context: CommandContext,
  partners: readonly Partner[],
  { areChecked = false }: { areChecked?: boolean } = {},
): Promise<PartnersStanding> => {
  const { deps, terminal } = context;
  await context.noteDone();
  const isStopped = (await deps.webhookSwitch.read()) !== undefined;
  const messages = partners.map((partner) => {
    const isOn = endpointWishOf(partner, isStopped).wanted === 'on';
    return messageTo(partner.clientId, areChecked && isOn ? partner.webhookUrl : undefined);
  });
  const awaited = await wakeEndpoints(messages, deps);
  const total = partners.length;
  if (total > 0) terminal.note(`Waiting until EventBridge is set up for ${total} partners …\n`);
  const progress = progressOf(terminal, { total, oneIn: 10 });
  const onPoll = (done: number) => progress.update(done, `${done} of ${total} partners are set up`);
  try {
    const standings = await awaitEndpoints(awaited, { mostMs: targetMs, onPoll }, deps);
    const named = standings.map((standing, index) => ({ ...standing, name: partners[index]?.name ?? '' }));
    return {
      failing: named
        .filter(({ step }) => step === 'failing')
        .map(({ name, status }) => ({ name, reason: status?.reason ?? null })),
      waiting: named.filter(({ step }) => step === 'waiting').map(({ name }) => name),
    };
  } finally {
    progress.stop();
  }
};
