import type { KeyKind } from '../../../functions/shared/domain/keys/key-ring.ts';
import type { OAuthScope, Partner } from '../../../functions/shared/domain/partner.ts';
import { paused, withoutWebhook } from '../../../functions/shared/domain/webhook-changes.ts';
import { readGrant } from '../arguments.ts';
import type { OperatorDeps } from '../deps.ts';
import { removeKey } from '../keys/keys.ts';
import { withoutGrant, withState } from '../partners/partners.ts';
import { valueOrUserError } from '../refusals.ts';
import { endSecrets } from './end-secrets.ts';

type RevokingCommand = {
  /** Commands that it may undo, by the beginning of their names. */
  ends: string[];
  /** Takes the right away again; harmless where it is taken away already. */
  again: (args: Arguments, deps: OperatorDeps) => Promise<unknown>;
};

/** The arguments in the audit records of these commands. */
export type RevokingArguments = {
  name: string;
  clientId: string;
  by?: 'partner';
  grant: string;
  oauthScopes: OAuthScope[];
  overlapHours: number;
  secretId?: string;
  kind: KeyKind;
  kid: string;
};

/** `isDone`: the command ended. */
type Arguments = RevokingArguments & { atMs: number; isDone: boolean };

/** The commands that an adoption repeats after a restore of the Partners table (DR-7). */
export const revokingCommands = {
  'partner disable': {
    ends: ['partner create', 'partner enable'],
    again: (args, deps) => changePartner(args, deps, disabled),
  },
  'partner delete': {
    ends: ['partner '],
    // A deletion is final, so where it may have failed the partner is only disabled and a person decides (DR-12).
    again: (args, deps) =>
      args.isDone ? deps.partners.remove(args.clientId) : changePartner(args, deps, disabled),
  },
  'partner revoke-grant': {
    ends: ['partner create', 'partner grant'],
    again: (args, deps) => changePartner(args, deps, (partner) => revoked(partner, args.grant)),
  },
  'partner set-oauth-scopes': {
    ends: ['partner create', 'partner set-oauth-scopes'],
    again: (args, deps) => changePartner(args, deps, (partner) => narrowed(partner, args.oauthScopes)),
  },
  'partner rotate-secret': { ends: ['partner rotate-secret'], again: endSecrets },
  'partner remove-webhook': {
    ends: ['partner create', 'partner set-webhook', 'partner resume'],
    again: (args, deps) => changePartner(args, deps, (partner) => withoutWebhook(partner, changeOf(args))),
  },
  'partner pause': {
    ends: ['partner create', 'partner resume'],
    again: (args, deps) => changePartner(args, deps, (partner) => paused(partner, changeOf(args))),
  },
  'storefront delete': {
    ends: ['storefront create'],
    again: ({ name }, { storefronts }) => storefronts.retire(name),
  },
  'keys remove': { ends: [], again: ({ kind, kid }, deps) => removeAgain(kind, kid, deps) },
  'webhooks stop': {
    ends: ['webhooks start'],
    again: ({ atMs }, { webhookSwitch }) => webhookSwitch.stop(atMs),
  },
} satisfies Record<string, RevokingCommand>;

/** The revoking command of this name; undefined for any other command. */
export const revokingCommandOf = (command: string): RevokingCommand | undefined =>
  (revokingCommands as Record<string, RevokingCommand>)[command];

const changePartner = async (
  { clientId }: Arguments,
  { partners }: OperatorDeps,
  change: (partner: Partner) => Partner,
): Promise<void> => {
  const before = await partners.byClientId(clientId);
  if (before)
    valueOrUserError(
      await partners.update({ before, after: change(before) }, { isRepeated: true }),
      before.name,
    );
};

const disabled = (partner: Partner) => withState(partner, false).after;

const revoked = (partner: Partner, grant: string): Partner => {
  const change = withoutGrant(partner, readGrant(grant));
  return change.ok ? change.value.after : partner;
};

const narrowed = ({ oauthScopes, ...partner }: Partner, left: readonly OAuthScope[]): Partner => ({
  ...partner,
  oauthScopes: oauthScopes.filter((name) => left.includes(name)),
});

/** The audit record says where the partner made the change itself (V2-13). */
const changeOf = ({ by, atMs }: Arguments) => ({ by: by ?? ('operator' as const), atMs });

const removeAgain = async (kind: KeyKind, kid: string, deps: OperatorDeps): Promise<void> => {
  const removed = await removeKey(kind, kid, deps);
  if (removed.ok || removed.reason === 'no-key') return;
  valueOrUserError(removed, kid);
};
