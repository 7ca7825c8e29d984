import type { EndpointStatus } from '../../../functions/shared/domain/endpoint.ts';
import { endpointWishOf, isReached } from '../../../functions/shared/domain/endpoint-wish.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import { newPass } from '../../../functions/shared/events/passes.ts';
import type { Pass } from '../../../functions/shared/events/rows.ts';
import { aServedEndpoint } from '../../support/builders/a-partner.ts';
import type { OpenService } from './open-service.ts';
import { isOfEndpoint, measured, type PlannedMeasure } from './partner-program.ts';
import { startIn } from './triggers.ts';

const minute = 60_000;

/** Everything that the operator does about partners. */
export const planMeasures = (open: OpenService) => {
  const { plan, kernel } = open;
  for (const { partner, isThere, measures } of plan.partners) {
    if (isThere) kernel.at(0, () => begin(open, partner));
    for (const planned of measures) kernel.at(planned.atMs, () => take(open, partner, planned));
  }
  for (const { fromMs, untilMs } of plan.stops ?? []) {
    kernel.at(fromMs, () => open.stores.stop(true));
    kernel.at(untilMs, () => open.stores.stop(false));
  }
};

/** A partner that was registered long ago: its endpoint serves. */
const begin = (open: OpenService, partner: Partner) => {
  const { partners } = open.stores;
  const { clientId, webhookUrl: servedUrl } = partner;
  const reached = endpointWishOf(partner, false);
  const endpoint: EndpointStatus = aServedEndpoint({ reached, ...(servedUrl && { servedUrl }) });
  void open.endpoints.make(partner, signatureOf(clientId));
  void partners.create({ partner, secrets: [], endpoint }, signatureOf(clientId));
  open.partnersNow.set(clientId, partner);
  open.noteStatus(clientId, endpoint);
};

const signatureOf = (clientId: string) => `signature-${clientId}`;

const take = (open: OpenService, first: Partner, planned: PlannedMeasure) => {
  const { clientId, measure, index } = planned;
  const before = open.partnersNow.get(clientId);
  if ((measure === 'register') === (before !== undefined) || open.leaving.has(clientId)) return;
  // 409: what an address had is not ended yet.
  if (['enable', 'set-endpoint', 'register'].includes(measure) && open.stores.isWithholding(clientId)) {
    open.kernel.after(5_000, () => take(open, first, planned));
    return;
  }
  const chances = { random: open.random('measure', clientId, index), epochMs: open.history.epochMs };
  setPartner(open, before, measured(before ?? first, planned, chances));
  if (measure === 'replay-since') replay(open, planned);
  if (measure === 'resume') pass(open, clientId, 'wake');
  if (['disable', 'remove-endpoint', 'delete'].includes(measure)) pass(open, clientId, 'withhold');
  if (measure === 'delete') leave(open, clientId);
  else if (isOfEndpoint(measure)) wake(open, clientId);
};

const setPartner = (open: OpenService, before: Partner | undefined, after: Partner) => {
  const { partners } = open.stores;
  const { clientId } = after;
  if (before) void partners.update({ before, after });
  else void partners.create({ partner: after, secrets: [] }, signatureOf(clientId));
  open.partnersNow.set(clientId, after);
  open.noteState(clientId);
};

/** The tool's message, which may be lost. */
const wake = (open: OpenService, clientId: string) =>
  startIn(open)('operator', (process) => open.service.endpointRequests(process).send([{ clientId }]));

/** The record goes when the bus has nothing of the partner any more: until then the command is run again. */
const leave = (open: OpenService, clientId: string) => {
  const { kernel, stores, partnersNow, statuses, noteState } = open;
  open.leaving.add(clientId);
  const status = statuses.get(clientId);
  if (status === undefined || isReached(status, { wanted: 'none' })) {
    void stores.partners.remove(clientId);
    partnersNow.delete(clientId);
    noteState(clientId);
    return;
  }
  wake(open, clientId);
  kernel.after(minute, () => leave(open, clientId));
};

/** Everything of the last while once more, up to forty minutes. */
const replay = (open: OpenService, { clientId, index, ...planned }: PlannedMeasure) => {
  const { kernel, history, random } = open;
  const backMs = planned.backMs ?? random('replay', clientId, index).integer(minute, 40 * minute);
  const sinceMs = history.epochMs + kernel.nowMs() - backMs;
  pass(open, clientId, 'replay', { sinceMs });
};

/** In the same instant as the record that causes it. */
const pass = (open: OpenService, clientId: string, does: Pass['does'], more: { sinceMs?: number } = {}) => {
  const { kernel, history, stores, plan } = open;
  if (plan.forgets) return;
  const newId = () => String(open.kernel.happened());
  void stores.leave(
    newPass({ clientId, does, ...more }, history.epochMs + kernel.nowMs(), { newId, leaseMs: 20_000 }),
  );
};
