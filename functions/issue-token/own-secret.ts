import { makeClientSecret, rotateSecrets, toStoredSecret } from '../shared/auth/client-secret.ts';
import type { Outcome } from '../shared/domain/outcome.ts';
import { isActive, type StoredSecret } from '../shared/domain/partner.ts';
import { selfServicePolicy } from '../shared/domain/rate-limit.ts';
import type { Form } from '../shared/http/form.ts';
import { answerKept, type Command, readCommand, recordOf } from '../shared/http/idempotency.ts';
import { notKept } from '../shared/http/oauth-error.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import { json } from '../shared/http/response.ts';
import { type LimitDeps, refuseBeyond } from '../shared/middleware/limit-rate.ts';
import type { PipelineEvent } from '../shared/middleware/respond.ts';
import { type RandomBytes, randomText } from '../shared/runtime/random-text.ts';
import type { AuditStore } from '../shared/store/partners/audit-log.ts';
import type { SecretsChange } from '../shared/store/partners/record-updates.ts';
import type { IdempotencyRecord, RequestStore } from '../shared/store/requests/request-store.ts';
import { type ClientRequest, type ClientRequestDeps, readClientRequest } from './client-request.ts';
import { oauthRefusal } from './oauth-response.ts';

export type OwnSecretDeps = ClientRequestDeps & {
  requests: RequestStore;
  rates: LimitDeps['rates'];
  /** Writes secrets and the record of the `Idempotency-Key` in one atomic write. */
  replaceSecrets: (
    clientId: string,
    change: SecretsChange,
    record: IdempotencyRecord | undefined,
  ) => Promise<Outcome<undefined, 'changed-meanwhile' | 'key-used'>>;
  audit: AuditStore;
  random: RandomBytes;
};

/**
 * `POST /oauth2/secret` (V2-13): makes a second secret, shown once. The secret that authenticated the request works for
 * `overlap_hours` more. Any other one ends now, because at most two work (S-20): so does one whose answer was lost.
 */
export const makeOwnSecret = async (event: PipelineEvent, deps: OwnSecretDeps): Promise<HandlerResult> => {
  const request = await readClientRequest(event, deps);
  if (!request.ok) return request.response;
  const { form, profile } = request.value;
  const { clientId } = profile.partner;
  if (form.has('client_secret')) return oauthRefusal('not-basic');
  if (!profile.partner.oauthScopes.includes('nop2/webhook')) return oauthRefusal('no-self-service');
  const overlapHours = overlapIn(form);
  if (overlapHours === undefined) return oauthRefusal('invalid-overlap');
  const command = readCommand(event, {
    ...{ caller: { kind: 'partner', id: clientId }, route: 'oauth2/secret' },
    bytes: Buffer.from(event.body ?? ''),
  });
  if (!command.ok) return command.problem;
  const kept = await answerKept(command.value, deps);
  if (kept) return kept;
  if (isReplaced(request.value)) return oauthRefusal('replaced-secret');
  const tooMany = await refuseBeyond(
    selfServicePolicy,
    Object.assign(event, { partner: { clientId } }),
    deps,
  );
  return tooMany ?? replaceSecret(request.value, { overlapHours, command: command.value }, deps);
};

/**
 * Whether the secret has a successor that somebody holds: one made by the operator, or one that the partner has used. A
 * replaced secret makes no further one: otherwise a thief could use it beyond its overlap (S-20).
 */
const isReplaced = ({ profile: { partner, secrets, uses }, secret, now }: ClientRequest): boolean =>
  secrets
    .filter((other) => other.createdAtMs > secret.createdAtMs && isActive(other, now.getTime()))
    .some((successor) => successor.madeBy !== partner.name || uses[successor.id] !== undefined);

const usualOverlapHours = 24;

/** Whole hours from 1 to 168 (seven days); undefined for anything else. */
const overlapIn = (form: Form): number | undefined => {
  const text = form.get('overlap_hours') ?? String(usualOverlapHours);
  const hours = /^[1-9]\d{0,2}$/.test(text) ? Number(text) : 0;
  return hours >= 1 && hours <= 168 ? hours : undefined;
};

type Replacement = { overlapHours: number; command: Command | undefined };

/** Writes the audit record first (S-28). It names the secret that stays, and contains no secret. */
const replaceSecret = async (
  { profile, secret, peppers, now }: ClientRequest,
  { overlapHours, command }: Replacement,
  deps: OwnSecretDeps,
): Promise<HandlerResult> => {
  const { clientId, name } = profile.partner;
  const clientSecret = makeClientSecret(deps.random);
  const about = { id: randomText(deps.random, 8), madeBy: name, peppers, nowMs: now.getTime() };
  const fresh = toStoredSecret(clientSecret, about);
  const noteDone = await deps.audit.append({
    ...{ who: name, caller: `partner/${clientId}`, command: 'partner rotate-secret', atMs: now.getTime() },
    arguments: { name, clientId, by: 'partner', overlapHours, secretId: secret.id },
  });
  const change = { former: secret, fresh, overlapMs: overlapHours * 3_600_000 };
  const facts = factsOf(clientId, change, now);
  const record = command && recordOf(command, json(200, facts, notKept), { uuid: '', now });
  const written = await write(clientId, profile.secrets, { ...change, now, record }, deps);
  if (written === 'key-used') return (await answerKept(command, deps)) ?? oauthRefusal('unavailable');
  if (written === 'changed-meanwhile') return oauthRefusal('changed-meanwhile');
  await noteDone().catch((fault) => deps.log('changeNotNoted', { clientId }, fault));
  return json(201, { ...facts, client_secret: clientSecret }, notKept);
};

type SecretChange = { former: StoredSecret; fresh: StoredSecret; overlapMs: number };

/** The facts that a repeated answer may show. `client_secret_expires_at` is 0 for never (RFC 7591). */
const factsOf = (clientId: string, { former, fresh, overlapMs }: SecretChange, now: Date) => ({
  client_id: clientId,
  client_secret_expires_at: 0,
  secret_id: fresh.id,
  former_secret_id: former.id,
  former_secret_expires_at: Math.floor(endOf(former, now.getTime() + overlapMs) / 1000),
});

const endOf = ({ expiresAtMs = Number.POSITIVE_INFINITY }: StoredSecret, atMs: number) =>
  Math.min(expiresAtMs, atMs);

/**
 * Tries once more after a rehash under a new pepper, which may happen at any time. Another change of the secrets is a
 * conflict: its new secret must not end unseen.
 */
const write = async (
  clientId: string,
  before: readonly StoredSecret[],
  change: SecretChange & { now: Date; record: IdempotencyRecord | undefined },
  deps: OwnSecretDeps,
  mayTryAgain = true,
): Promise<'written' | 'changed-meanwhile' | 'key-used'> => {
  const former = before.find(({ id }) => id === change.former.id);
  if (!former) return 'changed-meanwhile';
  const { overlapMs, fresh, now, record } = change;
  const after = rotateSecrets([former], fresh, { nowMs: now.getTime(), overlapMs });
  const replaced = await deps.replaceSecrets(clientId, { before, after }, record);
  if (replaced.ok) return 'written';
  if (replaced.reason === 'key-used' || !mayTryAgain) return replaced.reason;
  const { secrets = [] } = (await deps.partners.credentialsOf(clientId)) ?? {};
  return idsOf(secrets) === idsOf(before)
    ? write(clientId, secrets, change, deps, false)
    : 'changed-meanwhile';
};

const idsOf = (secrets: readonly StoredSecret[]) => secrets.map(({ id }) => id).join();
