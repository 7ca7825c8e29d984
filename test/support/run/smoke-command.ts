import { execFile } from 'node:child_process';
import { root } from '../repository.ts';

/** What the command said, and the code with which it ended. */
export type Smoked = { code: unknown; said: string };

/** Runs `npm run smoke -- …` as a process of its own. */
export const runSmoke = (
  words: readonly string[],
  env: NodeJS.ProcessEnv,
  node = process.execPath,
): Promise<Smoked> =>
  new Promise((resolve) => {
    const options = { cwd: root, env, timeout: 120_000 };
    execFile(node, ['--no-warnings', 'test/smoke/run.ts', ...words], options, (error, stdout, stderr) =>
      resolve({ code: error?.code ?? 0, said: stdout + stderr }),
    );
  });
