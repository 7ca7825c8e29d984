import type { Command } from 'commander';
import { removalHoldsAfterSeconds } from '../../../functions/shared/auth/key-times.ts';
import type { KeyKind } from '../../../functions/shared/domain/keys/key-ring.ts';
import { ringKeptMs } from '../../../functions/shared/store/keys/ring-reader.ts';
import type { CommandContext, CommandGroup, CommandResult, RunCommand } from '../context.ts';
import {
  type FoundKey,
  fillStandby,
  findKey,
  type KeyView,
  keyKinds,
  listKeys,
  removeKey,
  rotateKeys,
  secretsUnder,
} from '../keys/keys.ts';
import { tableOf } from '../output/table.ts';
import { stampText } from '../output/time.ts';
import { revokeTokens } from '../partners/partners.ts';
import { valueOrUserError } from '../refusals.ts';
import { UserError } from '../user-error.ts';

const addKeysCommands = (program: Command, run: RunCommand) => {
  const keys = program
    .command('keys')
    .description('Signing keys of access tokens and sessions, and peppers of client secrets');
  keys
    .command('list')
    .description('List keys: which one signs, which verify, and until when')
    .action(run((context) => list(context)));
  keys
    .command('rotate <kind>')
    .description('Sign with the standby key and publish a new one; issued tokens stay valid')
    .addHelpText('after', rotateHelp)
    .action(run((context, _options, kind) => rotate(context, kind)));
  keys
    .command('remove <kid>')
    .description('After a leak: remove a key; what it signed is refused within 60 s')
    .addHelpText('after', removeHelp)
    .action(run((context, _options, kid) => removeOne(context, kid)));
};

/** `keys …`: the keys that sign tokens, and the peppers of client secrets (docs/keys.md). */
export const keysCommands: CommandGroup = {
  add: addKeysCommands,
  rights: {
    AccessKeys: ['RotateSecret'],
    'Partners/HASHES#*': ['BatchGetItem'],
    'Partners/KEYS': ['GetItem', 'PutItem'],
    'Partners/PARTNER#*': ['BatchGetItem', 'GetItem', 'UpdateItem'],
    'Partners/PARTNERS': ['GetItem', 'Query'],
    'Partners/USE#*': ['BatchGetItem'],
    Pepper: ['RotateSecret'],
    SessionKeys: ['RotateSecret'],
  },
};

const rotateHelp = `
Kinds: access (access tokens of partners), session (sessions of checkouts), pepper (hashes of client secrets).
A new key signs from ten minutes after its publication. The former key verifies until all that it signed has expired. A
former pepper stays until it is removed: a secret moves to the newest pepper when it is used. Each run rotates once more.`;

const removeHelp = `
  keys remove 5e0c…   the ID as "keys list" prints it

If it was signing, the standby key signs from now on, and a new standby key is published. Clients fetch new tokens. Sessions
that the key signed end. Client secrets under a removed pepper end. The command asks first, unless you add --yes.`;

const list = async ({ deps }: CommandContext): Promise<CommandResult> => {
  const keys = await listKeys(deps);
  return { json: keys, text: tableText(keys) };
};

const tableText = (keys: readonly KeyView[]) =>
  tableOf(
    ['kind', 'key', 'state', 'made', 'signs from', 'verifies until', 'secrets'],
    keys.map(({ kind, kid, state, madeAt, signsFrom, retiresAt, clientSecrets }) => [
      kind,
      kid,
      state,
      timeText(madeAt),
      timeText(signsFrom),
      timeText(retiresAt),
      clientSecrets === undefined ? '' : String(clientSecrets),
    ]),
  );

const timeText = (time: string | null) => (time === null ? '' : stampText(Date.parse(time)).slice(0, 19));

const rotate = async (context: CommandContext, text: string): Promise<CommandResult> => {
  const kind = readKind(text);
  await context.record('keys rotate', { kind });
  valueOrUserError(await rotateKeys(kind, context.deps), `The ${kind} key`);
  const keys = (await listKeys(context.deps)).filter((key) => key.kind === kind);
  return { json: keys, text: tableText(keys) };
};

const readKind = (text: string): KeyKind => {
  const kind = keyKinds.find((known) => known === text);
  if (kind) return kind;
  throw new UserError(`"${text}" is not a kind of key: name one of ${keyKinds.join(', ')}.`);
};

const removeOne = async (context: CommandContext, kid: string): Promise<CommandResult> => {
  const { deps } = context;
  const found = valueOrUserError(await findKey(kid, deps), kid);
  await context.confirm(consequenceOf(found), kid);
  await context.record('keys remove', { kind: found.kind, kid });
  const ring = valueOrUserError(await removeKey(found.kind, kid, deps), kid);
  const filled = await fillStandby(found.kind, ring, deps);
  const isFilled = filled === undefined || filled.ok;
  const lockedOut = await endTokensOf(found, kid, context);
  return {
    json: {
      ...{ kind: found.kind, kid, removed: true, holdsWithinSeconds: removalHoldsAfterSeconds, isFilled },
      ...(found.kind === 'pepper' && { lockedOut }),
    },
    text: `${kid} is removed. Every function knows this within ${removalHoldsAfterSeconds} s.\n${meanwhileText(found)}${lockedOutText(lockedOut)}${isFilled ? '' : fillText(found.kind)}`,
    exitCode: isFilled ? 0 : 1,
  };
};

/** Processes read the keys anew at different times: some still sign with the removed key, others lack the next one. */
const meanwhileText = ({ kind, state }: FoundKey) =>
  state === 'signs' && kind !== 'pepper'
    ? `Until then, usually for ${ringKeptMs / 1_000} s, a new token may be refused as well: request another one.\n`
    : '';

const lockedOutText = (names: readonly string[]) =>
  names.length === 0
    ? ''
    : `Secrets of ${names.join(', ')} ended with it: "partner rotate-secret" gives a new one.\n`;

/**
 * Revokes the tokens of all secrets that end with a pepper, after the last process has dropped it. Until then a process may
 * hash further secrets under it or move them to another, so they are read again. Returns the partners whose secrets ended.
 */
const endTokensOf = async (
  { kind, state, secretsOf }: FoundKey,
  kid: string,
  { deps, terminal }: CommandContext,
): Promise<string[]> => {
  if (kind !== 'pepper' || (secretsOf.length === 0 && state !== 'signs')) return [];
  const known =
    secretsOf.length === 0 ? 'partners whose secrets are hashed with it until then' : distinct(secretsOf);
  terminal.note(
    `Waiting ${removalHoldsAfterSeconds} s, then ending the tokens of ${known}. If this is interrupted, run "partner revoke-tokens" for each partner.\n`,
  );
  await deps.wait(removalHoldsAfterSeconds * 1_000);
  const left = await secretsUnder(kid, deps);
  for (const name of new Set([...secretsOf, ...left])) {
    const partner = await deps.partners.byName(name);
    if (partner) await revokeTokens(partner, deps);
  }
  return [...new Set(left)];
};

const distinct = (names: readonly string[]) => [...new Set(names)].join(', ');

const fillText = (kind: KeyKind) =>
  `There is no new standby key yet: run "keys rotate ${kind}" until "keys list" shows one.\n`;

const consequenceOf = ({ kind, secretsOf }: FoundKey): string => {
  switch (kind) {
    case 'access':
      return 'Every access token that this key signed is refused from now on; clients fetch new ones.';
    case 'session':
      return 'Every session whose latest token this key signed ends, and its buyer starts a new checkout.';
    case 'pepper':
      return `${secretsOf.length} client secrets are hashed with this pepper and end now${
        secretsOf.length === 0 ? '' : `, of ${distinct(secretsOf)}`
      }.`;
    default:
      return kind satisfies never;
  }
};
