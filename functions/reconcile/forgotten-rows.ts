import type { ServedPartner } from '../shared/domain/event/recipient.ts';
import { newPass } from '../shared/events/passes.ts';
import type { DebounceTable } from '../shared/events/table.ts';
import { chunksOf } from '../shared/runtime/chunks.ts';
import type { Clock } from '../shared/runtime/clock.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { PartnerDirectory } from '../shared/store/partners/directory.ts';

export type ForgottenDeps = {
  /** The client ids of all partners. */
  clientIds: () => Promise<string[]>;
  partners: Pick<PartnerDirectory, 'byClientIds'>;
  table: Pick<DebounceTable, 'passesOf' | 'backlogOf' | 'save'>;
  newId: () => string;
  clock: Clock;
  log: Log;
};

/** Keys in one BatchGetItem. */
const atOnce = 100;
const rowsInPage = 100;

/**
 * Makes due what waits for a pass that never came: rows without a time and without an expiry, of partners whose endpoint
 * is on and that have no pass at work. Returns the number of such partners, which should be zero.
 */
export const wakeForgotten = async (deps: ForgottenDeps, untilMs: number): Promise<number> => {
  const { clientIds, partners, table, clock, newId, log } = deps;
  let woken = 0;
  for (const some of chunksOf(await clientIds(), atOnce))
    for (const { clientId } of [...(await partners.byClientIds(some)).values()].filter(isOn)) {
      if (clock().getTime() > untilMs) return woken;
      if ((await table.passesOf(clientId)).length > 0 || !(await hasForgotten(clientId, table))) continue;
      const asked = { clientId, does: 'wake', only: 'WAITING' } as const;
      await table.save(newPass(asked, clock().getTime(), { newId, leaseMs: 0 }));
      log('backlogWoken', { clientId });
      woken += 1;
    }
  return woken;
};

const isOn = ({ enabled, webhookUrl, webhookPaused, isUnserved }: ServedPartner) =>
  enabled && webhookUrl !== undefined && !webhookPaused && !isUnserved;

const hasForgotten = async (clientId: string, table: Pick<DebounceTable, 'backlogOf'>): Promise<boolean> => {
  let after: string | undefined;
  do {
    const { rows, next } = await table.backlogOf(clientId, { limit: rowsInPage, after });
    if (rows.some(({ dueAtMs, expiresAtMs }) => dueAtMs === undefined && expiresAtMs === undefined))
      return true;
    after = next;
  } while (after !== undefined);
  return false;
};
