import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOperatorTool } from '../operator/operator-process.ts';
import { root } from '../repository.ts';

/** Runs commands of the operator's tool at a stage; answers the JSON that one prints, and fails where it fails. */
export const operatorOf = ({ dataDir }: { dataDir: string }) => {
  const tool = createOperatorTool(root, join(dataDir, 'stack.json'), 'ignore');
  return async <Printed = unknown>(...words: string[]): Promise<Printed> => {
    const outcome = await tool(...words);
    if (outcome.ok) return outcome.value as Printed;
    throw new Error(`${words.join(' ')}: ${outcome.reason}`);
  };
};

/** Imports these lines into a stage. */
export const importInto = async (stage: { dataDir: string }, lines: readonly object[]) => {
  const file = join(stage.dataDir, 'imported.ndjson');
  writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return operatorOf(stage)('transactions', 'import', file);
};

export const everyScope = 'nop2/read nop2/write nop2/webhook';

/** The command that makes a partner of one group, of its name, with these options. */
export const partnerOf = (group: string, ...more: string[]) => [
  ...['partner', 'create', '--name', `of-${group}`, '--grant', `group=${group}`, ...more],
];

/** The command that opens a shop of a group at an origin. */
export const shopOf = (group: string, origin: string, ...more: string[]) => [
  ...['storefront', 'create', '--name', `of-${group}`, '--origin', origin, '--group', group, ...more],
  ...['--franchise', 'F', '--location', 'L', '--branch', `${group} Street`],
];
