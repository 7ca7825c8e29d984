import type { EndpointAnswers, EndpointStatus, EndpointWish, KeptPass } from './endpoint.ts';
import { settingsOf } from './event/timing.ts';

/** A sender that judged by the previous record may send events until its lease ends. */
export const { leaseMs } = settingsOf(0);
/** How long until a call that the bus refused is tried again. */
export const mendAgainMs = 5 * 60_000;

/** The status from which the address of this wish may serve. */
export const passed = (status: EndpointStatus, { url, setAtMs }: EndpointWish): EndpointStatus => {
  const { servedUrl: _, servedSetAtMs: __, ...rest } = status;
  return {
    ...rest,
    ...(url !== undefined && { servedUrl: url }),
    ...(setAtMs !== undefined && { servedSetAtMs: setAtMs }),
  };
};

/** The status of an address that is being checked. */
export const verifying = ({ reason: _, ...status }: EndpointStatus, nowMs: number): EndpointStatus => ({
  ...status,
  state: 'verifying',
  sinceMs: nowMs,
});

/** Reasons why the bus does not match that are not the endpoint's fault. A person has to act. */
const unmendedReasons = [
  'connections-quota',
  'destinations-quota',
  'rules-quota',
  'CONNECTION_NOT_AUTHORIZED',
  'BUS_REFUSED',
] as const;
export type UnmendedReason = (typeof unmendedReasons)[number];

/** Whether the last try to make the bus match failed. */
export const isUnmended = ({ reason }: EndpointStatus): boolean =>
  unmendedReasons.some((one) => one === reason);

/** Whether the endpoint failed its last check. */
export const failsCheck = (status: EndpointStatus): boolean =>
  status.state === 'failing' && !isUnmended(status);

/**
 * The status after a pass over kept deliveries. Another pass follows one lease later, for deliveries that were kept at
 * the last moment, or after a pause if a delivery failed.
 */
export const afterSendingKept = (
  status: EndpointStatus,
  { beganAtMs, isFaulty }: KeptPass,
  nowMs: number,
): EndpointStatus => {
  const { sendsKeptAtMs: _, keptPass: __, ...rest } = status;
  if (isFaulty) return { ...rest, sendsKeptAtMs: nowMs + mendAgainMs };
  const lastAtMs = Math.max(status.servesFromMs ?? status.sinceMs, status.resumedAtMs ?? 0) + leaseMs;
  return beganAtMs < lastAtMs ? { ...rest, sendsKeptAtMs: lastAtMs } : rest;
};

/** The status after a check of the wish's address. */
export const afterCheck = (
  status: EndpointStatus,
  { wish, answers, nowMs }: { wish: EndpointWish; answers: EndpointAnswers; nowMs: number },
): EndpointStatus => {
  const tried = { wish, atMs: nowMs, answers };
  const { reason: _, ...rest } = status;
  const why = whyNotPassed(answers);
  if (why !== undefined)
    return {
      ...rest,
      state: 'failing',
      sinceMs: failsCheck(status) ? status.sinceMs : nowMs,
      reason: why,
      tried,
    };
  if (!failsCheck(status)) return { ...passed(status, wish), tried };
  return { ...passed(rest, wish), state: 'verifying', sinceMs: nowMs, tried };
};

/** Why an address failed its check, or undefined if it passed. */
export const whyNotPassed = ({ fault, status = 0 }: EndpointAnswers): string | undefined => {
  if (fault !== undefined) return fault;
  return status >= 200 && status < 300 ? undefined : `HTTP_${status}`;
};

/** The status after the bus refused a step. A state whose events are kept or ended stays. */
export const unmended = (
  status: EndpointStatus,
  { reason, nowMs, wish }: { reason: UnmendedReason; nowMs: number; wish: EndpointWish },
): EndpointStatus => {
  const refused = { ...status, reason, tried: { wish, atMs: nowMs } };
  if (wish.wanted !== 'on') return refused;
  return { ...refused, state: 'failing', sinceMs: status.state === 'failing' ? status.sinceMs : nowMs };
};
