import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import type { BearerRefusal } from '../auth/challenge.ts';
import type { IdentifiedPartner, IdentifyDeps } from '../auth/identify-partner.ts';
import { identifyPartner } from '../auth/identify-partner.ts';
import type { OAuthScope } from '../domain/partner.ts';

/** A request whose caller is known. */
export type PartnerEvent = APIGatewayProxyEvent & IdentifiedPartner;

/** Turns a refusal into the answer; `challengeFor` has the header that belongs to it (ERR-2). */
export type AnswerRefusal = (refusal: BearerRefusal, event: APIGatewayProxyEvent) => APIGatewayProxyResult;

type Request<Event> = { event: Event };

/** Adds `event.partner` and `event.accessToken`; a call without a valid token of an enabled partner ends here. */
export const authenticatePartner = ({ answer, ...deps }: IdentifyDeps & { answer: AnswerRefusal }) => ({
  before: async ({ event }: Request<APIGatewayProxyEvent>) => {
    const identified = await identifyPartner(event, deps);
    if (!identified.ok) return answer(identified.refusal, event);
    Object.assign(event, identified.value);
    return undefined;
  },
});

/** Lets only tokens with this OAuth scope pass: those of the token, which may be fewer than the partner's. */
export const requireOAuthScope = (scope: OAuthScope, { answer }: { answer: AnswerRefusal }) => ({
  before: ({ event }: Request<PartnerEvent>) =>
    event.accessToken.scopes.includes(scope)
      ? undefined
      : answer({ status: 403, reason: 'insufficient-scope', scope }, event),
});
