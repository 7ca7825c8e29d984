import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';

/**
 * The local stage's tables. Synthesis takes seconds where jest loads the CDK, so the first process of a run does it for
 * all others.
 */
export const tablesOfRun = (): Promise<CreateTableCommandInput[]> => {
  tables ??= readTables(process.env.TEST_RUN_FOLDER);
  return tables;
};

let tables: Promise<CreateTableCommandInput[]> | undefined;

const readTables = async (runFolder: string | undefined) => {
  if (runFolder === undefined) return synthesised();
  const file = join(runFolder, 'tables.json');
  if (!existsSync(file)) {
    // Whole or not at all: another process may look at the same time.
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, JSON.stringify(await synthesised()));
    renameSync(unfinished, file);
  }
  return JSON.parse(readFileSync(file, 'utf8')) as CreateTableCommandInput[];
};

const synthesised = async () => (await import('./template.ts')).tablesFromTemplate();
