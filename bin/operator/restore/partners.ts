import { chainLifetimeMs } from '../../../functions/shared/domain/session.ts';
import { createStorefrontRegistrar } from '../import/storefront-registrar.ts';
import { revokeTokens } from '../partners/partners.ts';
import { type Adoption, type AdoptionDeps, wentBack } from './adoption.ts';
import { commandsByHand } from './by-hand.ts';
import { type RevokingArguments, revokingCommandOf } from './revoking-commands.ts';

/** Clocks of two operators may differ this much, and a command writes its record before it has changed anything. */
const beforeFirstLostMs = 60_000;

/**
 * Commands that took a right away after the time to which the Partners table went back are carried out again, by the copy of
 * the audit records. A person gets the others (DR-7).
 */
export const repeatCommands = async ({ deps, note, report, dryRun }: Adoption): Promise<void> => {
  if (!wentBack({ note }, 'partners')) return;
  const records = await deps.trail.read(deps.now());
  const firstLostMs = Math.min(...records.filter(({ isLost }) => isLost).map(({ atMs }) => atMs));
  const isSince = ({ atMs }: { atMs: number }) => atMs >= firstLostMs - beforeFirstLostMs;
  const since = records.filter(isSince);
  // The time to which the table went back may lie between the record of a command and what it changed.
  const lastKept = records.findLast(({ atMs, isLost }) => !isLost && atMs < firstLostMs);
  const perhapsUndone = records.filter((record) => record === lastKept || isSince(record));
  for (const { command, arguments: args, atMs, isDone } of perhapsUndone) {
    const revoking = revokingCommandOf(command);
    if (!revoking) continue;
    if (!dryRun) await revoking.again({ ...(args as RevokingArguments), atMs, isDone }, deps);
    report.commandsRepeated += 1;
  }
  report.byHand.push(...commandsByHand(since, firstLostMs));
  if (!dryRun) await registerOwners(deps);
};

/**
 * The end of it all: until then, an adoption that died repeats and names everything once more (DR-9). The first lost record
 * comes back last, for by that one the others are found.
 */
export const giveBackRecords = async (adoption: Adoption): Promise<void> => {
  const { trail, now } = adoption.deps;
  if (adoption.dryRun || !wentBack(adoption, 'partners')) return;
  const lost = (await trail.read(now())).filter(({ isLost }) => isLost);
  await trail.giveBack(lost.toReversed());
};

/** An import makes a storefront for each owner that has none (RUN-6); so do those that were made since. */
const registerOwners = async (deps: AdoptionDeps): Promise<void> => {
  const { registerOwnersOf } = createStorefrontRegistrar(deps);
  for await (const stored of deps.recovery.transactions()) await registerOwnersOf([stored]);
};

/**
 * What was reached for endpoints is of before, and the bus is as it is now: `keep-endpoints` checks every address and makes
 * what is missing, and until then events are kept (DR-14). The items of the index of grants may be of another moment than
 * the records: each partner is added to what it holds (GRANT-4).
 */
export const renewPartners = async (adoption: Adoption): Promise<void> => {
  const { partners } = adoption.deps;
  if (adoption.dryRun || !wentBack(adoption, 'partners')) return;
  for (const partner of await partners.all()) {
    await partners.forgetEndpoint(partner.clientId);
    await partners.addToIndex(partner);
  }
};

/** Sessions that were revoked are known in the Requests table (DR-7). Those that ended by a sign-in are not known any more. */
export const endSessions = async ({ deps, note, report, dryRun }: Adoption): Promise<void> => {
  if (!wentBack({ note }, 'requests')) return;
  const records = await deps.trail.read(deps.now());
  for (const { command, arguments: args, atMs } of records) {
    if (command !== 'session revoke' || atMs < deps.now().getTime() - chainLifetimeMs) continue;
    if (!dryRun) await deps.sessions.revoke(String(args.session), new Date(atMs));
    report.commandsRepeated += 1;
  }
};

/** Tokens that were revoked are known in tables that went back; every partner gets new ones by itself (DR-7). */
export const endTokens = async (adoption: Adoption): Promise<void> => {
  const { deps, dryRun, report } = adoption;
  if (!wentBack(adoption, 'partners') && !wentBack(adoption, 'requests')) return;
  for (const partner of await deps.partners.all()) {
    if (!dryRun) await revokeTokens(partner, deps);
    report.tokensEnded += 1;
  }
};
