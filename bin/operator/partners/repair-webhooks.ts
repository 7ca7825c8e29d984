import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { DifferenceCode } from '../../../functions/shared/outbound/endpoint/inspect.ts';
import { ofEach, type StageWebhookDeps } from './stage-webhooks.ts';
import { asServed, ensureEndpoint, waitForEffect } from './webhooks.ts';

/** A partner whose endpoint was not as its record says, and how it differed. */
type Differing = { name: string; differences: DifferenceCode[] };

/** What differed, and the names of partners whose endpoint could not be seen or made. */
export type Repaired = { differing: Differing[]; failed: string[] };

/**
 * Makes the endpoints of partners match their records: rules, targets, destinations and connections, which hold the bus, the
 * role and the dead-letter queue of the service stack (D-09). It sends nothing and may be repeated; with `isDry` it only looks.
 */
export const repairWebhooks = async (
  partners: readonly Partner[],
  { isDry, ...deps }: StageWebhookDeps & { isDry: boolean },
): Promise<Repaired> => {
  const differing: Differing[] = [];
  const failed = await ofEach(partners, deps, async ({ clientId }) => {
    const partner = await deps.partners.byClientId(clientId);
    if (!partner?.webhookUrl) return;
    const differences = await deps.endpoints.inspect(await asServed(partner, deps));
    if (differences.length === 0) return;
    differing.push({ name: partner.name, differences: differences.map(({ code }) => code) });
    if (!isDry) await ensureEndpoint(partner, deps);
  });
  if (!isDry && differing.length > 0) await waitForEffect(deps);
  return { differing, failed };
};
