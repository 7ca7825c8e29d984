import { chainLifetimeMs } from '../../../functions/shared/domain/session.ts';
import { createStorefrontRegistrar } from '../import/storefront-registrar.ts';
import { revokeTokens } from '../partners/partners.ts';
import { endOfTokens } from '../service-clock.ts';
import { type Adoption, type AdoptionDeps, wentBack } from './adoption.ts';
import { commandsByHand } from './by-hand.ts';
import { type RevokingArguments, revokingCommandOf } from './revoking-commands.ts';

/** Two operators' clocks may differ by this much, and a command writes its record before its change. */
const beforeFirstLostMs = 60_000;

/**
 * Repeats the commands that took a right away after the time of the restored Partners table, as the copy of the audit records
 * tells them. The other commands are left to a person (DR-7).
 */
export const repeatCommands = async ({ deps, note, report, dryRun }: Adoption): Promise<void> => {
  if (!wentBack({ note }, 'partners')) return;
  const records = await deps.trail.read(deps.now());
  const firstLostMs = Math.min(...records.filter(({ isLost }) => isLost).map(({ atMs }) => atMs));
  const isSince = ({ atMs }: { atMs: number }) => atMs >= firstLostMs - beforeFirstLostMs;
  const since = records.filter(isSince);
  // The restore point may lie between the record of a command and its change.
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
 * Writes the lost audit records back, as the last step: until then an adoption that died repeats and names every command again
 * (DR-9). The first lost record comes last, since it marks the restore point.
 */
export const giveBackRecords = async (adoption: Adoption): Promise<void> => {
  const { trail, now } = adoption.deps;
  if (adoption.dryRun || !wentBack(adoption, 'partners')) return;
  const lost = (await trail.read(now())).filter(({ isLost }) => isLost);
  await trail.giveBack(lost.toReversed());
};

/** Registers a storefront for each owner without one, as an import does (RUN-6). */
const registerOwners = async (deps: AdoptionDeps): Promise<void> => {
  const { registerOwnersOf } = createStorefrontRegistrar(deps);
  for await (const stored of deps.recovery.transactions()) await registerOwnersOf([stored]);
};

/**
 * Removes the endpoint status, which is older than the bus: `keep-endpoints` checks every address and makes missing resources,
 * and events are kept until then (DR-14). Adds each partner to the index of grantees, which may be of another moment than the
 * records (GRANT-4).
 */
export const renewPartners = async (adoption: Adoption): Promise<void> => {
  const { partners } = adoption.deps;
  if (adoption.dryRun || !wentBack(adoption, 'partners')) return;
  for (const partner of await partners.all()) {
    await partners.forgetEndpoint(partner.clientId);
    await partners.addToIndex(partner);
  }
};

/** Repeats revocations of sessions, which Requests has lost (DR-7). Ends by a sign-in have no record and stay lost. */
export const endSessions = async ({ deps, note, report, dryRun }: Adoption): Promise<void> => {
  if (!wentBack({ note }, 'requests')) return;
  const records = await deps.trail.read(deps.now());
  for (const { command, arguments: args, atMs } of records) {
    if (command !== 'session revoke' || atMs < deps.now().getTime() - chainLifetimeMs) continue;
    if (!dryRun) await deps.sessions.revoke(String(args.session), endOfTokens(new Date(atMs)));
    report.commandsRepeated += 1;
  }
};

/** Revokes all tokens, since the restore lost revocations; every partner gets new tokens by itself (DR-7). */
export const endTokens = async (adoption: Adoption): Promise<void> => {
  const { deps, dryRun, report } = adoption;
  if (!wentBack(adoption, 'partners') && !wentBack(adoption, 'requests')) return;
  for (const partner of await deps.partners.all()) {
    if (!dryRun) await revokeTokens(partner, deps);
    report.tokensEnded += 1;
  }
};
