import { namedPatch, type Patch } from '../../patch.ts';

const completions = 'bin/operator/restore/completions.ts';
const patch = namedPatch('restored-completion', ['test/integration/operator/adopt-completions.test.ts']);

/** What a restore does to completions, and to what the bus had then (docs/recovery.md). */
export const patches: readonly Patch[] = [
  patch(
    ['withheld', 'DR-10 a completion that went back is sent to nobody any more'],
    [completions, 'if (!dryRun) await deps.ledger.move({ ...ended, reason: end.reason });', 'void ended;'],
  ),
  patch(
    ['deleted-since', 'DR-10 one of a deleted transaction is told to nobody'],
    [
      completions,
      'return isDeleted === 1 ? deleted : undefined;',
      'return isDeleted === 9 ? deleted : undefined;',
    ],
  ),
  patch(
    ['marker-last', 'DR-10 who repeats a run that died finds whom a completion was being sent to'],
    [
      completions,
      "  if (end.reason === 'UNDONE' && !dryRun) await recall",
      "  if (completion && !dryRun) await endMarker(completion, adoption);\n  if (end.reason === 'UNDONE' && !dryRun) await recall",
    ],
  ),
  patch(
    ['recalled', 'DR-10 what the bus has is not sent again when it gives it up'],
    [completions, "if (end.reason === 'UNDONE' && !dryRun) await recall", 'if (dryRun) await recall'],
  ),
  patch(
    ['recalled-once', 'DR-9 and marked once'],
    [
      completions,
      "state === 'ACCEPTED' && !isRecalled);",
      "state === 'ACCEPTED' && isRecalled !== undefined);",
    ],
  ),
  patch(
    ['no-try-left', 'DR-10 what lost its target is not sent by a start of all webhooks'],
    [
      'bin/operator/restore/told.ts',
      'isOpen(delivery) || isGivenUp(delivery)',
      'isOpen(delivery) || (isGivenUp(delivery) && false)',
    ],
  ),
  patch(
    ['tombstone', 'DR-9 what an adoption put there is settled by none that is repeated'],
    ['bin/operator/restore/transactions.ts', 'if (isTombstone(now, adoption)) return;', ''],
  ),
  patch(
    ['taken-back', 'EV-13 what was recalled is not sent again after a restore'],
    [completions, "state === 'ACCEPTED' && !isRecalled && isWithBus", "state === 'ACCEPTED' && isWithBus"],
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
  patch(['kept', 'DR-11 one that was kept is sent'], [completions, "state === 'HELD' ||", '']),
  patch(
    ['given-up', 'DR-11 so is one that the bus may have given up'],
    [
      completions,
      "(state === 'ACCEPTED' && !isRecalled && isWithBus(acceptedAtMs, adoption.ledgerToMs))",
      'acceptedAtMs === 0 && isRecalled',
    ],
  ),
  patch(
    ['bus-tries', 'DR-11 what the bus had, it may have given up since'],
    ['bin/operator/restore/doubt.ts', ' || isWithBus(told.acceptedAtMs, ledgerToMs)', ''],
    ['test/unit/bin/operator/restore/doubt.test.ts'],
  ),
];
