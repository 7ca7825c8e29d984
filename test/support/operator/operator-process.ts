import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Outcome, refuse, succeed } from '../../../functions/shared/domain/outcome.ts';

/** Runs one command of the operator's tool. Returns its JSON, or the sentence of its refusal. */
export type OperatorTool = (...args: string[]) => Promise<Outcome<unknown, string>>;

/** The tool as a child process, for the stage of `stackFile`; `notes` says where its standard error goes. */
export const createOperatorTool =
  (root: string, stackFile: string, notes: 'inherit' | 'ignore' = 'inherit'): OperatorTool =>
  async (...args) => {
    const child = spawn(process.execPath, [join(root, 'bin/operator.ts'), ...args, '--json'], {
      env: { ...process.env, TRANSACTIONS_STACK: stackFile },
      stdio: ['ignore', 'pipe', notes],
    });
    const printed: string[] = [];
    child.stdout.setEncoding('utf8').on('data', (part) => printed.push(part));
    const [code] = await once(child, 'close');
    const answer = parse(printed.join(''));
    return code === 0
      ? succeed(answer)
      : refuse(sentenceOf(answer) ?? `The operator’s tool ended with code ${code}.`);
  };

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const sentenceOf = (answer: unknown): string | undefined => {
  const { error, refused } = (answer ?? {}) as { error?: string; refused?: unknown };
  return error ?? (refused ? `Lines were refused: ${JSON.stringify(refused)}.` : undefined);
};
