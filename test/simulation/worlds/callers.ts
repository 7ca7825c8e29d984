import { resumeHeld } from '../../../bin/operator/replay/replay.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { bytesOf } from '../kernel/seeds.ts';
import { carryOut, kindOf } from './acts.ts';
import type { OpenService } from './open-service.ts';
import { measured, type PlannedMeasure, releasing } from './partner-program.ts';
import { startIn } from './triggers.ts';

/** Everything that callers do to transactions, each thing at its time in a process of its own. */
export const planActs = (open: OpenService) => {
  const { plan, kernel, processes, ports, service, random } = open;
  const start = startIn(open);
  const numbers = numberedApart(plan.acts.map(({ uuid }) => uuid));
  const chances = random('callers');
  for (const planned of plan.acts)
    kernel.at(planned.atMs, () =>
      start(kindOf(planned), (process) => {
        const { transactions, requests } = ports(process);
        return carryOut(planned, {
          ...{ transactions, requests },
          ids: { next: async () => numbers(planned.uuid) },
          clock: processes.clockOf(process),
          retryDelays: { random: chances.next, sleep: (ms) => processes.sleep(process, ms) },
          random: (size) => bytesOf(random('bytes', planned.uuid, planned.atMs), size),
          publishing: service.publishing(process),
        });
      }),
    );
};

/** Numbers that no other transaction moves: they are facts, fixed at creation (GRANT-3). */
const numberedApart = (uuids: readonly string[]) => {
  const last = new Map(
    [...new Set(uuids)].map((uuid) => [uuid, Number.parseInt(uuid.slice(0, 8), 16) * 1_000]),
  );
  return (uuid: string): number => {
    const next = (last.get(uuid) ?? 0) + 1;
    last.set(uuid, next);
    return next;
  };
};

/** Everything that the operator does about partners. */
export const planMeasures = (open: OpenService) => {
  const { plan, kernel } = open;
  for (const { partner, isThere, measures } of plan.partners) {
    if (isThere) kernel.at(0, () => setPartner(open, undefined, partner));
    for (const planned of measures) kernel.at(planned.atMs, () => take(open, partner, planned));
  }
};

const take = (open: OpenService, first: Partner, planned: PlannedMeasure) => {
  const { clientId, measure, index } = planned;
  const before = open.partnersNow.get(clientId);
  if ((measure === 'register') === (before !== undefined)) return;
  const after = measured(before ?? first, planned, open.random('measure', clientId, index));
  setPartner(open, before, after);
  if (!releasing.includes(measure)) return;
  release(open, clientId);
  open.kernel.after(20_000, () => release(open, clientId));
};

/** The record and what the bus has for it, at one instant. */
const setPartner = (
  { stores, partnersNow, history, kernel }: OpenService,
  before: Partner | undefined,
  after: Partner | undefined,
) => {
  const { clientId } = (after ?? before) as Partner;
  const { partners } = stores;
  if (after) partnersNow.set(clientId, after);
  else partnersNow.delete(clientId);
  if (!after) void partners.remove(clientId);
  else if (before) void partners.update({ before, after });
  else void partners.create({ partner: after, secrets: [] }, `signature-${clientId}`);
  history.partnerStates.push({ atMs: kernel.nowMs(), clientId, partner: structuredClone(after) });
};

/** Until it has gone through: the tool says so when it has not. */
const release = (open: OpenService, clientId: string) =>
  startIn(open)(
    'operator',
    (process) => resumeHeld(clientId, open.service.publishing(process)),
    ({ ok }) => {
      if (!ok) open.kernel.after(2_000, () => release(open, clientId));
    },
  );
