import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { sendAgainSince, sendKeptAgain } from '../../../functions/shared/replay/partner-walk.ts';
import type { OpenService } from './open-service.ts';
import { measured, type PlannedMeasure, releasing } from './partner-program.ts';
import { startIn } from './triggers.ts';

const minute = 60_000;

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
  if (measure === 'replay-since') replay(open, planned);
  if (!releasing.includes(measure)) return;
  release(open, clientId);
  open.kernel.after(20_000, () => release(open, clientId));
};

/** The record and what the bus has for it, at one instant. */
const setPartner = (open: OpenService, before: Partner | undefined, after: Partner | undefined) => {
  const { partners } = open.stores;
  if (!after) void partners.remove((before as Partner).clientId);
  else if (before) void partners.update({ before, after });
  else void partners.create({ partner: after, secrets: [] }, `signature-${after.clientId}`);
  noteRecord(open, (after ?? before) as Partner, after);
};

const noteRecord = (
  { partnersNow, history, kernel }: OpenService,
  { clientId }: Partner,
  after: Partner | undefined,
) => {
  if (after) partnersNow.set(clientId, after);
  else partnersNow.delete(clientId);
  history.partnerStates.push({ atMs: kernel.nowMs(), clientId, partner: structuredClone(after) });
};

/** Until it has gone through: the tool says so when it has not. */
const release = (open: OpenService, clientId: string) =>
  startIn(open)(
    'operator',
    (process) => sendKeptAgain(clientId, open.service.sendingAgain(process)),
    ({ ok }) => {
      if (!ok) open.kernel.after(2_000, () => release(open, clientId));
    },
  );

/** Everything of the last while once more, up to forty minutes. */
const replay = (open: OpenService, { clientId, index }: PlannedMeasure) => {
  const { kernel, history, service, random } = open;
  const backMs = random('replay', clientId, index).integer(minute, 40 * minute);
  const sinceMs = history.epochMs + kernel.nowMs() - backMs;
  startIn(open)('operator', (process) => sendAgainSince(clientId, sinceMs, service.sendingAgain(process)));
};
