import { makeWebhookSignature } from '../shared/auth/client-secret.ts';
import type { WebhookOrder } from '../shared/domain/webhook-order.ts';
import { type Command, readCommand } from '../shared/http/idempotency.ts';
import type { HandlerResult, Problem } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { type HttpResponse, json, noContent, type ResponseHeaders } from '../shared/http/response.ts';
import { mayUse } from '../shared/middleware/authenticate-partner.ts';
import type { LimitedEvent } from '../shared/middleware/limit-rate.ts';
import type { EndpointRules } from '../shared/outbound/endpoint/url-policy.ts';
import type { RandomBytes } from '../shared/runtime/random-text.ts';
import type { PartnerLookup } from '../shared/store/partners/directory.ts';
import { isoTime } from './events.ts';
import { changeWebhook, type WebhookChangeDeps } from './webhook-change.ts';
import { readAddress, readWebhookChange } from './webhook-request.ts';
import { presentWebhook, type WebhookFacts } from './webhook-view.ts';

export type WebhookDeps = WebhookChangeDeps & {
  directory: PartnerLookup;
  /** Which addresses are allowed (S-47). */
  endpointRules: EndpointRules;
  random: RandomBytes;
  baseUrl: string;
};

/** A request about the webhook of its own caller. */
export type WebhookEvent = LimitedEvent & Omit<WebhookFacts, 'isStopped'>;

/** Handles the caller's webhook, by method (V2-13). */
export const answerWebhook = async (event: WebhookEvent, deps: WebhookDeps): Promise<HandlerResult> => {
  switch (event.httpMethod) {
    case 'PUT':
      return setWebhook(event, deps);
    case 'PATCH':
      return patchWebhook(event, deps);
    case 'DELETE':
      return removeWebhook(event, deps);
    default:
      return json(200, bodyOf({ ...event, isStopped: await isStoppedFor(event, deps) }, deps));
  }
};

/** Whether the operator has stopped the webhooks of the whole stage (S-77), which is a pause for each partner. */
export const isStoppedFor = async (
  { partner }: Pick<WebhookFacts, 'partner'>,
  { directory }: Pick<WebhookDeps, 'directory'>,
): Promise<boolean> => {
  const asSent = (await directory.byClientIds([partner.clientId])).get(partner.clientId);
  return asSent?.webhookPaused !== undefined && asSent.webhookPaused !== partner.webhookPaused;
};

const bodyOf = (facts: WebhookFacts, { clock, baseUrl }: WebhookDeps) => ({
  ...presentWebhook(facts, clock()),
  _links: linksOf(baseUrl),
});

const addressOf = (baseUrl: string) => `${baseUrl}/v2/webhook`;
const linksOf = (baseUrl: string) => ({ self: { href: addressOf(baseUrl) } });

/**
 * 202: the address is checked in the background, and `Location` shows the result. The previous one serves until then.
 */
const setWebhook = async (event: WebhookEvent, deps: WebhookDeps): Promise<HandlerResult> => {
  const body = readAddress(event, deps.endpointRules);
  if (!body.ok) return body.problem;
  return changeShown(
    event,
    { ...body.value, status: 202, headers: { Location: addressOf(deps.baseUrl) } },
    deps,
  );
};

/** 200: the sender reads the record from its next event on. */
const patchWebhook = async (event: WebhookEvent, deps: WebhookDeps): Promise<HandlerResult> => {
  const body = readWebhookChange(event);
  return body.ok ? changeShown(event, { ...body.value, status: 200 }, deps) : body.problem;
};

type ShownChange = { orders: WebhookOrder[]; bytes: Buffer; status: number; headers?: ResponseHeaders };

const changeShown = async (
  event: WebhookEvent,
  { orders, bytes, status, headers }: ShownChange,
  deps: WebhookDeps,
): Promise<HandlerResult> => {
  const command = commandOf(event, 'v2/webhook', bytes);
  if (!command.ok) return command.problem;
  const isStopped = await isStoppedFor(event, deps);
  const answer = (changed: Omit<WebhookFacts, 'isStopped'>) =>
    json(status, bodyOf({ ...changed, isStopped }, deps), headers);
  return shownTo(event, await changeWebhook(event, { orders, command: command.value, answer }, deps), deps);
};

/** Without `nop2/read` the answer to a change shows nothing of the webhook (S-11). */
const shownTo = (event: WebhookEvent, result: HandlerResult, { baseUrl }: WebhookDeps): HandlerResult =>
  'problem' in result || mayUse('nop2/read', event)
    ? result
    : { ...result, body: JSON.stringify({ _links: linksOf(baseUrl) }) };

const removeWebhook = (event: WebhookEvent, deps: WebhookDeps): Promise<HandlerResult> =>
  changeWebhook(event, { orders: [{ kind: 'remove' }], command: undefined, answer: () => noContent() }, deps);

/**
 * Makes the next signature and shows it once: a repeated answer has only the time at which it was made. An earlier next
 * signature that was not chosen is replaced, because its partner may never have received it.
 */
export const announceSignature = async (event: WebhookEvent, deps: WebhookDeps): Promise<HandlerResult> => {
  const command = commandOf(event, 'v2/webhook/signature', Buffer.from(event.body ?? ''));
  if (!command.ok) return command.problem;
  const next = makeWebhookSignature(deps.random);
  const facts = ({ partner }: Pick<WebhookFacts, 'partner'>) => ({
    createdAt: isoTime(partner.nextSignatureMadeAtMs ?? 0),
    _links: linksOf(deps.baseUrl),
  });
  return changeWebhook(
    event,
    {
      ...{ orders: [{ kind: 'rotate', step: { announce: next } }], command: command.value },
      answer: (changed) => secretly(json(201, { signature: next, ...facts(changed) })),
      keptAnswer: (changed) => secretly(json(200, facts(changed))),
    },
    deps,
  );
};

const secretly = (response: HttpResponse): HttpResponse => ({
  ...response,
  headers: { ...response.headers, 'Cache-Control': 'no-store' },
});

const commandOf = (
  event: HttpEvent & Pick<WebhookEvent, 'partner'>,
  route: string,
  bytes: Buffer,
): { ok: true; value: Command | undefined } | { ok: false; problem: Problem } =>
  readCommand(event, { caller: { kind: 'partner', id: event.partner.clientId }, route, bytes });
