import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a command said before it ended, and how it ended. */
type Answer = { said: string; status: number };

/** One shell that keeps its variables from one command to the next, as a reader's does. */
export type Shell = { run: (command: string) => Promise<Answer>; close: () => Promise<void> };

/** Ends with everything that was started in it. */
export const openShell = (folder: string): Shell => {
  const child = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let count = 0;
  return {
    run: async (command) => {
      const mark = `end-of-step-${++count}`;
      const answer = readUntil(child, mark);
      child.stdin.write(`${command}\nprintf '\\n${mark} %s\\n' "$?"\n`);
      return answer;
    },
    close: async () => {
      const ended = once(child, 'close');
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      await ended;
    },
  };
};

const readUntil = (child: ChildProcess, mark: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    let said = '';
    const read = (part: Buffer): void => {
      said += String(part);
      const [, before = '', status] = new RegExp(`^([\\s\\S]*)\\n${mark} (\\d+)\\n`).exec(said) ?? [];
      if (status === undefined) return;
      child.stdout?.off('data', read);
      child.off('close', gone);
      clearTimeout(late);
      resolve({ said: before, status: Number(status) });
    };
    const late = setTimeout(
      () => reject(new Error(`No end after two minutes. It said: ${said}`)),
      120_000,
    ).unref();
    const gone = () => reject(new Error(`The shell ended. It said: ${said}`));
    child.stdout?.on('data', read);
    child.once('close', gone);
  });
