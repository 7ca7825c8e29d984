import type { EndpointStatus, EndpointWish, KeptPart, KeptPass } from '../shared/domain/endpoint.ts';
import {
  afterCheck,
  afterSendingKept,
  isUnmended,
  mendAgainMs,
  type UnmendedReason,
  unmended,
} from '../shared/domain/endpoint-status.ts';
import {
  busyUntilMs,
  type EndpointFound,
  type EndpointStep,
  nextEndpointStep,
} from '../shared/domain/endpoint-step.ts';
import { endpointWishOf } from '../shared/domain/endpoint-wish.ts';
import type { SuppressionReason } from '../shared/domain/event/recipient.ts';
import { foundOf } from '../shared/outbound/endpoint/inspect.ts';
import { QuotaReached } from '../shared/outbound/endpoint/quota.ts';
import { type EndpointState, readEndpoint } from '../shared/outbound/endpoint/state.ts';
import { type EndpointAccess, makePart, removePart } from '../shared/outbound/endpoint/steps.ts';
import type { EndpointMessage } from '../shared/outbound/endpoint-requests.ts';
import type { Log } from '../shared/runtime/logger.ts';
import type { Report } from '../shared/runtime/metrics.ts';
import type {
  EndpointRecord,
  EndpointStore,
  SignedEndpointRecord,
} from '../shared/store/partners/endpoints.ts';
import { type CheckDeps, checkAddress } from './check.ts';

export type PollDeps = {
  bus: EndpointAccess;
  clock: CheckDeps['clock'];
  effectMs: number;
};

export type KeepDeps = PollDeps &
  CheckDeps & {
    endpoints: Pick<EndpointStore, 'read' | 'write'>;
    /** Makes kept deliveries due again; the sender judges each once more. */
    sendKept: (clientId: string, pass: KeptPass) => Promise<KeptPart>;
    /** Ends the deliveries that were kept for a partner that has no endpoint any more. */
    endKept: (clientId: string, reason: SuppressionReason, pass: KeptPass) => Promise<KeptPart>;
    /** Has the function poll a partner again after this time. */
    pollLater: (clientId: string, afterMs: number) => Promise<void>;
    log: Log;
    report: Report;
  };

/** A partner that this invocation works on. */
type Work = {
  clientId: string;
  record: SignedEndpointRecord;
  wish: EndpointWish;
  status: EndpointStatus | undefined;
  state: EndpointState;
  isUndelivered: boolean;
  /** Changes that this invocation made on the bus. */
  changes: string[];
};

/** Ends a loop that makes no progress. No wish takes half as many steps. */
const mostSteps = 40;

/**
 * Makes the bus match a partner's record, step by step, and writes the status it reached. Where something must wait, a
 * delayed message wakes the function again. Each step is decided from the present state, so the next invocation
 * finishes what a dead one left.
 */
export const keepEndpoint = async (message: EndpointMessage, deps: KeepDeps): Promise<void> => {
  const work = await openWork(message, deps);
  for (let steps = 0; work && steps < mostSteps; steps += 1) {
    if (!(await carryOut(decide(work, deps).step, work, deps))) break;
  }
  if (work && work.changes.length > 0)
    deps.log('endpointChanged', { clientId: work.clientId, reason: work.changes.join(', ') });
};

/** The next step for a partner, without carrying it out. */
export const pollEndpoint = async (clientId: string, record: EndpointRecord, deps: PollDeps) => {
  const state = await readEndpoint(deps.bus.client, deps.bus.settings, clientId);
  return decide(workOf({ clientId }, { ...record, signature: undefined }, state), deps);
};

/** Undefined if the bus could not be read; that is recorded, and tried again. */
const openWork = async (message: EndpointMessage, deps: KeepDeps): Promise<Work | undefined> => {
  const record = await deps.endpoints.read(message.clientId);
  const blind = workOf(message, record, { targets: [] });
  try {
    return { ...blind, state: await read(blind, deps) };
  } catch (fault) {
    await refused(fault, blind, deps);
    return undefined;
  }
};

const workOf = (
  { clientId, isUndelivered }: EndpointMessage,
  record: SignedEndpointRecord,
  state: EndpointState,
): Work => ({
  ...{ clientId, record, state, changes: [] },
  isUndelivered: isUndelivered === true,
  wish: endpointWishOf(record.partner, record.isStopped),
  status: record.partner ? record.status : goneStatus,
});

/** A deleted partner has no record for a status, so nothing waits. */
const goneStatus: EndpointStatus = { state: 'off', sinceMs: 0, sendsKeptAtMs: 0 };

const read = ({ clientId }: Work, { bus }: PollDeps): Promise<EndpointState> =>
  readEndpoint(bus.client, bus.settings, clientId);

const decide = (work: Work, deps: PollDeps): { step: EndpointStep; found: EndpointFound } => {
  const { record, status, wish, isUndelivered } = work;
  const { partner } = record;
  const found = foundOf(work.state, { partner, servedUrl: status?.servedUrl }, deps.bus.settings);
  const step = nextEndpointStep({
    ...{ wish, status, found, isUndelivered },
    isUnchecked: partner?.webhookUnchecked === true,
    resumedAtMs: resumedAtMsOf(record),
    nowMs: deps.clock().getTime(),
    effectMs: deps.effectMs,
  });
  return { step, found };
};

const resumedAtMsOf = ({ partner, startedAtMs }: EndpointRecord): number | undefined => {
  const times = [partner?.webhookChange?.atMs, startedAtMs].filter((time) => time !== undefined);
  return times.length === 0 ? undefined : Math.max(...times);
};

/** Returns whether there is more to do now. */
const carryOut = async (step: EndpointStep, work: Work, deps: KeepDeps): Promise<boolean> => {
  switch (step.step) {
    case 'note':
      return writeStatus(step.status, work, deps);
    case 'check':
      return orRefused(() => check(step.url, work, deps), work, deps);
    case 'make':
    case 'remove':
      return orRefused(() => change(step, work, deps), work, deps);
    case 'send-kept':
      return passOverKept(work, deps);
    case 'wait':
      return waitUntil(step.untilMs, work, deps);
    case 'done':
      return unschedulePoll(work, deps);
  }
};

/**
 * Works on a part of the kept deliveries. The next invocation goes on from the place in `keptPass`. A fault is thrown
 * only after that place is written.
 */
const passOverKept = async (work: Work, deps: KeepDeps): Promise<boolean> => {
  const status = knownStatus(work, deps);
  const pass = status.keptPass ?? { beganAtMs: nowMsOf(deps) };
  const { next, fault } = await sendOrEndKept(pass, work, deps);
  const isFaulty = (fault !== undefined || pass.isFaulty) && ({ isFaulty: true } as const);
  const after = next
    ? { ...status, keptPass: { ...next, ...isFaulty } }
    : afterSendingKept(status, { ...pass, ...isFaulty }, nowMsOf(deps));
  const isNoted = await writeStatus(after, work, deps);
  const goesOn = next && work.record.partner ? await waitUntil(nowMsOf(deps), work, deps) : isNoted;
  if (fault !== undefined) throw fault;
  return goesOn;
};

const sendOrEndKept = (
  pass: KeptPass,
  { clientId, wish, record }: Work,
  deps: KeepDeps,
): Promise<KeptPart> => {
  if (wish.wanted !== 'none') return deps.sendKept(clientId, pass);
  return deps.endKept(clientId, record.partner?.enabled ? 'NO_ENDPOINT' : 'DISABLED', pass);
};

const nowMsOf = ({ clock }: Pick<KeepDeps, 'clock'>): number => clock().getTime();

const knownStatus = ({ status }: Work, deps: KeepDeps): EndpointStatus =>
  status ?? { state: 'verifying', sinceMs: nowMsOf(deps) };

/** False if the partner was deleted meanwhile; the deletion sends a message of its own. */
const writeStatus = async (status: EndpointStatus, work: Work, { endpoints }: KeepDeps): Promise<boolean> => {
  work.status = status;
  return work.record.partner ? endpoints.write(work.clientId, status) : true;
};

const check = async (url: string, work: Work, deps: KeepDeps): Promise<boolean> => {
  const { clientId, wish } = work;
  const answers = await checkAddress(url, signatureOf(work), deps);
  const status = afterCheck(knownStatus(work, deps), { wish, answers, nowMs: nowMsOf(deps) });
  if (status.state === 'failing' && status.reason !== undefined && !isUnmended(status))
    deps.log('endpointFailing', { clientId, reason: status.reason });
  return writeStatus(status, work, deps);
};

const signatureOf = ({ record, clientId }: Work) => {
  if (!record.signature) throw new Error(`The partner ${clientId} has no webhook signature`);
  return record.signature;
};

/** A change that the bus does not show yet is not repeated at once. */
const change = async (
  { step, part }: EndpointStep & { step: 'make' | 'remove' },
  work: Work,
  deps: KeepDeps,
): Promise<boolean> => {
  const name = `${step} ${part}`;
  if (work.changes.includes(name))
    return waitUntil(busyUntilMs(knownStatus(work, deps), nowMsOf(deps)), work, deps);
  if (step === 'remove') await removePart[part](work.state, work.clientId, deps.bus);
  else await make(part, work, deps);
  work.changes.push(name);
  work.state = await read(work, deps);
  return true;
};

const make = async (part: keyof typeof makePart, work: Work, deps: KeepDeps): Promise<void> => {
  const { record, status, clientId } = work;
  const { partner } = record;
  if (!partner || status?.servedUrl === undefined) return;
  if (part === 'connection' && status.reason === 'CONNECTION_NOT_AUTHORIZED')
    reportDiffering(clientId, { reason: status.reason }, deps);
  const request = {
    partner: { ...partner, webhookUrl: status.servedUrl },
    signature: signatureOf(work).signature,
  };
  await makePart[part](work.state, request, deps.bus);
};

const orRefused = async (act: () => Promise<boolean>, work: Work, deps: KeepDeps): Promise<boolean> => {
  try {
    return await act();
  } catch (fault) {
    return refused(fault, work, deps);
  }
};

/** Reports that the bus does not match, and schedules another try. */
const refused = async (fault: unknown, work: Work, deps: KeepDeps): Promise<boolean> => {
  const reason = fault instanceof QuotaReached ? fault.quota : 'BUS_REFUSED';
  reportDiffering(work.clientId, { reason, fault }, deps);
  const { wish } = work;
  const nowMs = nowMsOf(deps);
  await writeStatus(unmended(knownStatus(work, deps), { reason, wish, nowMs }), work, deps);
  return waitUntil(nowMs + mendAgainMs, work, deps);
};

const reportDiffering = (
  clientId: string,
  { reason, fault }: { reason: UnmendedReason; fault?: unknown },
  { log, report }: KeepDeps,
): void => {
  log('endpointDiffers', { clientId, reason }, fault);
  report({ differingEndpoints: 1 });
};

/** Sends the message before writing the time: an invocation that dies in between is only woken once too often. */
const waitUntil = async (untilMs: number, work: Work, deps: KeepDeps): Promise<boolean> => {
  const status = knownStatus(work, deps);
  if (status.pollAgainAtMs === untilMs) return false;
  await deps.pollLater(work.clientId, untilMs - nowMsOf(deps));
  await writeStatus({ ...status, pollAgainAtMs: untilMs }, work, deps);
  return false;
};

const unschedulePoll = async (work: Work, deps: KeepDeps): Promise<false> => {
  const { pollAgainAtMs, ...status } = knownStatus(work, deps);
  if (pollAgainAtMs !== undefined) await writeStatus(status, work, deps);
  return false;
};
