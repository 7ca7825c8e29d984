import type { AccessTokenClaims } from '../shared/auth/access-token.ts';
import { covers } from '../shared/domain/ownership/grant.ts';
import { decideMove } from '../shared/domain/ownership/move.ts';
import type { NdMeta } from '../shared/domain/ownership/owner.ts';
import type { OwnershipClaim } from '../shared/domain/ownership/ownership.ts';
import type { Partner } from '../shared/domain/partner.ts';
import { readWriteQuery } from '../shared/domain/query/list-query.ts';
import { readSelection, type Selection } from '../shared/domain/query/selection.ts';
import { readCommand } from '../shared/http/idempotency.ts';
import type { HandlerResult } from '../shared/http/problem.ts';
import type { HttpEvent } from '../shared/http/request.ts';
import { queryProblem } from '../shared/http/request-problems.ts';
import { readChange } from '../shared/http/write-body.ts';
import type { StorefrontReader } from '../shared/store/storefronts/reader.ts';
import type { OptimisticWriteDeps } from '../shared/write/optimistic-write.ts';
import { updateTransaction } from '../shared/write/update-transaction.ts';

export type UpdateDeps = OptimisticWriteDeps & { storefronts: Pick<StorefrontReader, 'ofGroup'> };

type PartnerRequest = HttpEvent & { partner: Partner; accessToken: AccessTokenClaims };

/** A partner changes a transaction within its scope, even a complete one (V2-2). */
export const update = async (
  event: PartnerRequest,
  uuid: string,
  deps: UpdateDeps,
): Promise<HandlerResult> => {
  const { partner } = event;
  const selection = readWriteQuery(event.multiValueQueryStringParameters);
  if (!selection.ok) return queryProblem(selection);
  const body = readChange(event);
  if (!body.ok) return body.problem;
  const { change, bytes } = body.value;
  const caller = { kind: 'partner', id: partner.clientId } as const;
  const command = readCommand(event, { caller, route: `v2/transaction/${uuid}`, bytes });
  if (!command.ok) return command.problem;
  const result = await updateTransaction(
    event,
    {
      uuid,
      writer: 'partner',
      change,
      command: command.value,
      selection: mayRead(event) ? selection.value : uuidAlone,
      visibleTo: partner,
      isVisible: ({ transaction }) => covers(partner.grants, transaction.ndMeta),
      ownerAt: (claim, owner) => ownerAt(claim, owner, { partner, ...deps }),
    },
    deps,
  );
  return mayRead(event) ? result : unread(result, uuid);
};

/** Without `nop2/read` the response to a write shows nothing (S-11). */
const mayRead = ({ accessToken, partner }: PartnerRequest) =>
  accessToken.scopes.includes('nop2/read') && partner.oauthScopes.includes('nop2/read');

const uuidAlone: Selection = readSelection({ fields: ['uuid'] });

/** A replay shows no more than the present token may see. Its tag is kept for `If-Match`. */
const unread = (result: HandlerResult, uuid: string): HandlerResult =>
  'body' in result ? { ...result, body: JSON.stringify({ uuid }) } : result;

/** Looks in the present group first, and in the partner's other groups only if it has no such location (OWN-2). */
const ownerAt = async (
  claim: OwnershipClaim,
  owner: NdMeta | undefined,
  { partner: { grants }, storefronts }: UpdateDeps & { partner: Partner },
) => {
  const near = owner ? await storefronts.ofGroup(owner.group) : [];
  const decision = decideMove(claim, { grants, storefronts: near });
  if (decision.ok || decision.reason !== 'no-storefront') return decision;
  const groups = [...new Set(grants.map(({ group }) => group))].filter((group) => group !== owner?.group);
  const far = await Promise.all(groups.map(storefronts.ofGroup));
  return decideMove(claim, { grants, storefronts: far.flat() });
};
