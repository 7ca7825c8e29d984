import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../../bin/operator/connect.ts';
import { runOperator } from '../../../bin/operator/program.ts';
import { aTerminal } from '../operator/operator.ts';

/** Runs commands of the operator's tool in this process, at the stage of `stackFile`. Returns the JSON that one prints. */
export const operatorAt =
  (stackFile: string) =>
  async <Printed = unknown>(...words: string[]): Promise<Printed> => {
    const { terminal, said } = aTerminal();
    const options = { terminal, user: 'tester', stackFile, connect };
    const code = await runOperator([...words, '--json'], options);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${said.printed}`);
    return JSON.parse(said.printed);
  };

/** The operator's tool at a stage that describes itself in `stack.json`. */
export const operatorOf = ({ dataDir }: { dataDir: string }) => operatorAt(join(dataDir, 'stack.json'));

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
