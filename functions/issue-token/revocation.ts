import type { AccessTokenClaims, VerifyAccessToken } from '../shared/auth/access-token.ts';
import { leewaySeconds } from '../shared/domain/token-standing.ts';
import { notKept } from '../shared/http/oauth-error.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import type { HttpResponse } from '../shared/http/response.ts';
import type { PipelineEvent } from '../shared/middleware/respond.ts';
import type { PartnerNotes } from '../shared/store/partners/notes.ts';
import type { Denylist } from '../shared/store/requests/denylist.ts';
import { type ClientRequestDeps, readClientRequest } from './client-request.ts';
import { oauthRefusal } from './oauth-response.ts';

export type RevocationDeps = ClientRequestDeps & {
  /** Not cached: a token of a key that this process does not know yet would only seem to be revoked. */
  verifyNow: VerifyAccessToken;
  partners: Pick<PartnerNotes, 'noteRevocation'>;
  denylist: Pick<Denylist, 'add'>;
};

/** RFC 7009: a client revokes its own token. Invalid and expired tokens are answered as if revoked. */
export const revoke = async (event: PipelineEvent, deps: RevocationDeps): Promise<HandlerResult> => {
  const request = await readClientRequest(event, deps);
  if (!request.ok) return request.response;
  const { form, profile, now } = request.value;
  const token = form.get('token');
  if (token === undefined) return oauthRefusal('no-token');
  const verified = await deps.verifyNow(token);
  if (!verified.ok) return done;
  if (verified.value.clientId !== profile.partner.clientId) return oauthRefusal('not-your-token');
  await end(verified.value, now, deps);
  return done;
};

const done: HttpResponse = { status: 200, headers: notKept, body: '' };

/** The entry comes first: who reads the note looks for it. It outlives the token on the engine's clock, too. */
const end = async ({ clientId, jti, exp }: AccessTokenClaims, now: Date, deps: RevocationDeps) => {
  await deps.denylist.add({ jti, expiresAtMs: (exp + leewaySeconds) * 1000 });
  await deps.partners.noteRevocation(clientId, now.getTime());
};
