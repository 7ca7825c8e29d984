import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOperator } from '../../functions/shared/operator/cli/program.ts';
import type { Terminal } from '../../functions/shared/operator/cli/terminal.ts';
import type { OperatorDeps } from '../../functions/shared/operator/operator-deps.ts';
import type { AuditRecord } from '../../functions/shared/store/audit-store.ts';
import { createMemoryEstate } from '../../functions/shared/store/memory-estate.ts';
import { createMemoryNumericIds } from '../../functions/shared/store/memory-numeric-ids.ts';
import { createMemoryPartners } from '../../functions/shared/store/memory-partners.ts';
import { createMemoryTransactions } from '../../functions/shared/store/memory-transactions.ts';

export const pepper = 'p'.repeat(64);
export const now = new Date('2026-11-21T12:00:00Z');

const noDrift = { transactions: 0, entries: 0, counters: 0, entryDrift: [], counterDrift: [] };

/** The operator's stores in memory, with everything that was recorded. Each random byte is one more than the last. */
export const memoryDeps = (changes: Partial<OperatorDeps> = {}) => {
  const records: AuditRecord[] = [];
  let byte = 0;
  const nextByte = () => {
    byte = (byte + 1) % 248;
    return byte;
  };
  const deps: OperatorDeps = {
    partners: createMemoryPartners(),
    estate: createMemoryEstate(),
    transactions: createMemoryTransactions(),
    ids: createMemoryNumericIds(),
    listing: { audit: async () => noDrift, repair: async () => noDrift },
    audit: { append: async (record) => void records.push(record) },
    pepper: async () => pepper,
    now: () => now,
    random: (size) => Uint8Array.from({ length: size }, nextByte),
    ...changes,
  };
  return { deps, records };
};

/** A folder for one test file, and a stage's file in it that the tool accepts. */
export const aWorkspace = () => {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const stackFile = join(folder, 'stack.json');
  writeFileSync(
    stackFile,
    JSON.stringify({
      operator: {
        endpoints: { dynamodb: 'http://127.0.0.1:1', secretsmanager: 'http://127.0.0.1:1' },
        variables: { TRANSACTIONS_TABLE: 'T', LISTING_TABLE: 'L', PARTNERS_TABLE: 'P', PEPPER_SECRET: 'S' },
      },
    }),
  );
  return { folder, stackFile };
};

export type Said = { exitCode: number; printed: string; noted: string; asked: string[] };

/** A terminal that remembers; `typed` is what a person at it answers, and without it there is none. */
export const aTerminal = (typed?: string) => {
  const said = { printed: '', noted: '', asked: [] as string[] };
  const terminal: Terminal = {
    print: (text) => {
      said.printed += text;
    },
    printEach: async (pieces) => {
      for await (const piece of pieces) said.printed += piece;
    },
    note: (text) => {
      said.noted += text;
    },
    isInteractive: typed !== undefined,
    canRedraw: false,
    ask: async (question) => {
      said.asked.push(question);
      return typed ?? '';
    },
  };
  return { terminal, said };
};

/** Runs one command line over the given stores, at a terminal where a person types `typed`. */
export const operate = async (
  deps: OperatorDeps,
  stackFile: string,
  args: string[],
  typed?: string,
): Promise<Said> => {
  const { terminal, said } = aTerminal(typed);
  const exitCode = await runOperator(args, { terminal, user: 'tester', stackFile, connect: () => deps });
  return { exitCode, ...said };
};
