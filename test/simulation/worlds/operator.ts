import { recall } from '../../../bin/operator/partners/recall.ts';
import type { WebhookDeps } from '../../../bin/operator/partners/webhooks.ts';
import type { Partner, PartnerChange } from '../../../functions/shared/domain/partner.ts';
import { sendAgainSince, sendKeptAgain } from '../../../functions/shared/replay/partner-walk.ts';
import { createMemoryWebhookSwitch } from '../../support/memory/partners.ts';
import type { Process } from '../kernel/process.ts';
import { bytesOf } from '../kernel/seeds.ts';
import { stage } from '../service/service.ts';
import type { OpenService } from './open-service.ts';
import { type Measure, measured, type PlannedMeasure, releasing } from './partner-program.ts';
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

/** One thing at a time about one partner: while it is recalled, nothing else is done about it. */
const take = (open: OpenService, first: Partner, planned: PlannedMeasure) => {
  const { clientId, measure, index } = planned;
  const before = open.partnersNow.get(clientId);
  if ((measure === 'register') === (before !== undefined) || open.recalled.has(clientId)) return;
  const after = measured(before ?? first, planned, open.random('measure', clientId, index));
  // The endpoint first, so that no event reaches the bus before there is a target.
  if (after?.enabled && attaching.includes(measure)) open.detached.delete(clientId);
  setPartner(open, before, after);
  if (measure === 'recall' || measure === 'disable-and-recall') takeBack(open, clientId);
  if (measure === 'replay-since') replay(open, planned);
  if (!releasing.includes(measure)) return;
  release(open, clientId);
  open.kernel.after(20_000, () => release(open, clientId));
};

/** These make the endpoint as the record says (bin/operator/partners/webhooks.ts). */
const attaching: readonly Measure[] = ['register', 'enable', 'resume', 'set-endpoint'];

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

/** A recall that dies leaves the partner paused: a person repeats it, and resumes the partner unless it was paused before. */
const takeBack = (
  open: OpenService,
  clientId: string,
  wasPaused = open.partnersNow.get(clientId)?.webhookPaused !== undefined,
) => {
  const partner = open.partnersNow.get(clientId);
  if (!partner || partner.webhookUrl === undefined) return;
  open.recalled.add(clientId);
  startIn(open)(
    'operator',
    (process) => recall(partner, recallDeps(open, process)),
    (ending) => {
      if (!ending.ok || !ending.value.ok)
        return open.kernel.after(2_000, () => takeBack(open, clientId, wasPaused));
      open.recalled.delete(clientId);
      if (!ending.value.value.isPaused || wasPaused || !partner.enabled) return;
      take(open, partner, { atMs: open.kernel.nowMs(), clientId, measure: 'resume', index: 0 });
    },
  );
};

/** What the tool works with, as one process of its own: each of its calls may fail. */
const recallDeps = (open: OpenService, process: Process): WebhookDeps => {
  const { processes, service, stores, detached, random } = open;
  const { transactions, ledger } = service.sendingAgain(process);
  const reads = transactions as unknown as WebhookDeps['transactions'];
  const step = <Answer>(method: string, work: () => Promise<Answer>) =>
    processes.step(process, { port: 'operator', method, args: [] }, work);
  const update = async (change: PartnerChange) => {
    const updated = await stores.partners.update(change);
    if (updated.ok) noteRecord(open, change.after, change.after);
    return updated;
  };
  return {
    ...{ transactions: reads, ledger, endpointEffectMs: 0, note: () => {} },
    partners: { ...stores.partners, update: (change) => step('update', () => update(change)) },
    endpoints: {
      ensure: ({ clientId }) => step('ensure', async () => void detached.delete(clientId)),
      detach: (clientId) => step('detach', async () => void detached.add(clientId)),
      remove: (clientId) => step('remove', async () => void detached.delete(clientId)),
      inspect: ({ clientId }) =>
        step('inspect', async () =>
          detached.has(clientId) ? [{ code: 'TARGET_MISSING', sentence: 'The target is missing.' }] : [],
        ),
    },
    webhookSwitch: createMemoryWebhookSwitch(),
    events: { stage, dormancyMs: 120_000 },
    now: processes.clockOf(process),
    random: (size) => bytesOf(random('recall', process.name), size),
    wait: (ms) => processes.sleep(process, ms),
  };
};
