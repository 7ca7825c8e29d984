import { answerCheck } from '../../../functions/keep-endpoints/answer-check.ts';
import { type KeepDeps, keepEndpoint } from '../../../functions/keep-endpoints/keep.ts';
import type { EndpointStatus, KeptPart, KeptPass } from '../../../functions/shared/domain/endpoint.ts';
import type { Partner } from '../../../functions/shared/domain/partner.ts';
import type { EventBridge } from '../../../functions/shared/outbound/endpoint/state.ts';
import type { EndpointMessage } from '../../../functions/shared/outbound/endpoint-requests.ts';
import type { ProbeAnswer, ProbeRequest } from '../../../functions/shared/outbound/probe/test-message.ts';
import type { Inspection, InspectionStore } from '../../../functions/shared/store/partners/inspection.ts';
import { aPartner } from '../builders/a-partner.ts';
import { aClock } from '../builders/manual-clock.ts';
import { createMemoryEventBridge } from './event-bridge.ts';
import { createMemoryPartners, createMemoryWebhookSwitch, endpointsOver } from './partners.ts';

const settings = {
  stage: 'local',
  busName: 'transactions-local',
  deliveryRoleArn: 'arn:aws:iam::000000000000:role/delivery',
  deadLetterQueueArn: 'arn:aws:sqs:eu-west-2:000000000000:DeadLetters',
};

/** What a world may be made over; by default all of it is in memory. */
type Place = {
  client?: EventBridge;
  effectMs?: number;
};

/** Thrown where an invocation is killed, and by everything that it does afterwards. */
const killed = new Error('killed');

/** `keep-endpoints` for one partner, on a clock that a test moves, with each call of an invocation as a place to kill it. */
export const anEndpointWorld = (place: Place = {}) => {
  const clock = aClock('2026-11-21T12:00:00.000Z');
  const partners = createMemoryPartners();
  const webhookSwitch = createMemoryWebhookSwitch();
  const memory = createMemoryEventBridge();
  const endpoints = endpointsOver(partners, webhookSwitch);
  const calls: string[] = [];
  const logged: unknown[] = [];
  const reported: unknown[] = [];
  const sentKept: { atMs: number; servesFromMs: number | undefined }[] = [];
  const ended: { atMs: number; reason: string }[] = [];
  /** The results of parts of passes. After the last of them each pass is whole. */
  const parts: KeptPart[] = [];
  const passes: KeptPass[] = [];
  const later: { clientId: string; atMs: number }[] = [];
  const probed: ProbeRequest[] = [];
  const answers = new Map<string, ProbeAnswer[]>();
  let killAt = { call: Number.POSITIVE_INFINITY, isDone: false };
  let isKilled = false;

  /** Killed before the call is carried out, or right after it. */
  const call = async <Result>(name: string, act: () => Promise<Result>): Promise<Result> => {
    if (isKilled) throw killed;
    calls.push(name);
    const isLast = calls.length === killAt.call;
    isKilled ||= isLast;
    if (isLast && !killAt.isDone) throw killed;
    const result = await act();
    if (isLast) throw killed;
    return result;
  };

  const nowMs = () => clock.now().getTime();
  const deps: KeepDeps = {
    endpoints: {
      read: (clientId) => call('read', () => endpoints.read(clientId)),
      write: (clientId, status) => call('write', () => endpoints.write(clientId, status)),
    },
    bus: {
      settings,
      client: {
        send: ((command: { constructor: { name: string } }) =>
          call(command.constructor.name.replace('Command', ''), () =>
            (place.client ?? memory).send(command as never),
          )) as unknown as EventBridge['send'],
      },
    },
    probe: (request) =>
      call('probe', async () => {
        probed.push(request);
        const usual = [{ status: 401 }, { status: 204 }, { status: 204 }];
        return answers.get(request.url) ?? usual.slice(0, request.messages.length);
      }),
    sendKept: (clientId, pass) =>
      call('send-kept', async () => {
        passes.push(pass);
        const { status } = await endpoints.read(clientId);
        sentKept.push({ atMs: nowMs(), servesFromMs: status?.servesFromMs });
        return parts.shift() ?? {};
      }),
    endKept: (_clientId, reason) =>
      call('end-kept', async () => {
        ended.push({ atMs: nowMs(), reason });
        return parts.shift() ?? {};
      }),
    pollLater: (clientId, afterMs) =>
      call('poll-later', async () => void later.push({ clientId, atMs: nowMs() + afterMs })),
    effectMs: place.effectMs ?? 60_000,
    origin: { source: 'svc.local.online-payments', region: 'eu-west-2' },
    rules: { allowsLoopback: false },
    clock: clock.now,
    random: (size) => new Uint8Array(size).fill(7),
    log: (name, facts, fault) => logged.push(fault === undefined ? [name, facts] : [name, facts, fault]),
    report: (figures) => reported.push(figures),
  };

  const invoke = async ({ check, ...message }: Partial<EndpointMessage> = {}) => {
    calls.length = 0;
    isKilled = false;
    const beganAtMs = nowMs();
    const asked = { clientId, ...message };
    await keepEndpoint(asked, deps);
    if (check) await answerCheck({ clientId: asked.clientId, check, beganAtMs }, deps);
    return [...calls];
  };

  /** An invocation that dies at a call, which was carried out or not. Answers whether there was such a call. */
  const invokeAndKill = async (at: { call: number; isDone: boolean }) => {
    killAt = at;
    const isOver = await invoke().then(
      () => false,
      () => true,
    );
    killAt = { call: Number.POSITIVE_INFINITY, isDone: false };
    return isOver || isKilled;
  };

  /** Moves the clock from one delayed message to the next, until none is left or the time is over. */
  const passTime = async (ms: number) => {
    const endMs = nowMs() + ms;
    for (;;) {
      const [next] = later.toSorted((one, other) => one.atMs - other.atMs);
      if (!next || next.atMs > endMs) break;
      later.splice(later.indexOf(next), 1);
      clock.pass({ ms: Math.max(0, next.atMs - nowMs()) });
      await invoke();
    }
    clock.pass({ ms: endMs - nowMs() });
  };

  const create = async (changes: Partial<Partner> = {}, endpoint?: EndpointStatus) => {
    const partner = aPartner({
      webhookUrl: 'https://partner.example/hook',
      webhookSetAtMs: nowMs(),
      ...changes,
    });
    await partners.create({ partner, secrets: [], ...(endpoint && { endpoint }) }, 's'.repeat(64));
    return partner;
  };

  const change = async (changes: Partial<{ [Name in keyof Partner]: Partner[Name] | undefined }>) => {
    const before = await partners.byClientId(clientId);
    if (!before) throw new Error('There is no partner');
    const after = JSON.parse(JSON.stringify({ ...before, ...changes })) as Partner;
    await partners.update({ before, after });
    return after;
  };

  /** The next signature is announced, in one step with the record. */
  const announce = async (atMs: number) => {
    const before = await partners.byClientId(clientId);
    if (!before) throw new Error('There is no partner');
    const after = { ...before, nextSignatureMadeAtMs: atMs };
    await partners.rotateSignature({ before, after }, { announce: 'n'.repeat(64) });
  };

  /** The next signature is chosen, in one step with the record. */
  const rotate = async (atMs: number) => {
    await announce(atMs);
    const before = await partners.byClientId(clientId);
    if (!before) throw new Error('There is no partner');
    const { nextSignatureMadeAtMs: signatureMadeAtMs = atMs, ...rest } = before;
    await partners.rotateSignature({ before, after: { ...rest, signatureMadeAtMs } }, 'finish');
  };

  const status = async () => (await endpoints.read(clientId)).status;
  /** What the bus has for the partner, and whom it sends to. */
  const onBus = () => ({
    connection: memory.connections.get(endpointName)?.Description,
    address: memory.destinations.get(endpointName)?.InvocationEndpoint,
    rule: memory.rules.get(endpointName)?.State,
    targets: memory.rules.get(endpointName)?.targets.length,
  });
  return {
    ...{ clock, partners, webhookSwitch, memory, deps, calls, logged, reported },
    ...{ sentKept, ended, parts, passes, later, probed, answers },
    ...{ invoke, invokeAndKill, passTime, create, change, announce, rotate, status, onBus },
  };
};
export type EndpointWorld = ReturnType<typeof anEndpointWorld>;

/** A world whose partner has an endpoint that serves since nine minutes. */
export const aServedEndpointWorld = async () => {
  const world = anEndpointWorld();
  await world.create();
  await world.invoke();
  await world.passTime(10 * 60_000);
  for (const list of [world.sentKept, world.logged, world.reported]) list.length = 0;
  return world;
};

const { clientId } = aPartner();
export const endpointName = `transactions-local-${clientId}`;

/** How far endpoints were inspected, in memory: a stand-in for tests. */
export const createMemoryInspections = (): InspectionStore => {
  let inspection: Inspection = { differing: [] };
  return {
    read: async () => structuredClone(inspection),
    write: async (written) => {
      inspection = structuredClone(written);
    },
  };
};
