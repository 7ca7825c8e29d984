import { namedPatch, type Patch } from '../../patch.ts';

const completions = 'bin/operator/restore/completions.ts';
const patch = namedPatch('restored-completion', ['test/integration/operator/adopt-completions.test.ts']);

/** What a restore does to completions, and to what the bus had then (docs/recovery.md). */
export const patches: readonly Patch[] = [
  patch(
    ['withheld', 'DR-10 a completion that went back is sent to nobody any more'],
    [completions, "if (!dryRun) await deps.ledger.move({ ...ended, reason: 'UNDONE' });", 'void ended;'],
  ),
  patch(
    ['unclaimed', 'DR-10 and claimed by nobody'],
    [completions, 'else if (dueAtMs !== undefined) await', 'else if (dueAtMs === 1) await'],
  ),
  patch(
    ['in-flight', 'DR-10 nor sent when its lease ends'],
    [completions, 'if (inflight) await', 'if (inflight && dueAtMs === 1) await'],
  ),
  patch(
    ['since', 'DR-11 a completion of which the ledger went back is told'],
    [completions, '!told?.isCompletionTold && isCompletedSince(stored, adoption)', 'false'],
  ),
  patch(
    ['long-ago', 'DR-11 one from before is not'],
    [completions, 'times.some((atMs) => atMs + 1000 > sinceMs)', 'times.some((atMs) => atMs + sinceMs > 0)'],
  ),
  patch(
    ['imported', 'DR-11 nor is one that an import brought'],
    [completions, 'elementVersions.payments > silentUpToVersion && ', ''],
  ),
  patch(['kept', 'DR-11 one that was kept is sent'], [completions, "state === 'HELD' || ", '']),
  patch(
    ['given-up', 'DR-11 so is one that the bus may have given up'],
    [
      completions,
      "(state === 'ACCEPTED' && isWithBus(acceptedAtMs, adoption.ledgerToMs))",
      'acceptedAtMs === 0',
    ],
  ),
  patch(
    ['bus-tries', 'DR-11 what the bus had, it may have given up since'],
    ['bin/operator/restore/doubt.ts', ' || isWithBus(told.acceptedAtMs, ledgerToMs)', ''],
    ['test/unit/bin/operator/restore/doubt.test.ts'],
  ),
];
