import { UserError } from '../../bin/operator/user-error.ts';
import { openLoopbackServer } from '../loopback/server.ts';
import { readJsonFile, writePrivateJson } from './private-json.ts';

type LockOwner = { pid: number; port: number };

/**
 * Keeps other stages out of a folder until this process ends. The owner answers with the folder's name on a loopback port, so
 * a lock left by `kill -9` is ignored, even when another process has its id or port by now.
 */
export const lockFolder = async (folder: string, lockFile: string): Promise<void> => {
  await refuseLocked(folder, lockFile);
  const { port, letGo } = await openLoopbackServer((_, response) => response.end(folder));
  letGo();
  writePrivateJson(lockFile, { pid: process.pid, port } satisfies LockOwner);
};

/** Throws a UserError if a running stage uses the folder. */
export const refuseLocked = async (folder: string, lockFile: string): Promise<void> => {
  const owner = readJsonFile<LockOwner>(lockFile);
  if (owner && (await answerOf(owner.port)) === folder)
    throw new UserError(
      `Another local stage (process ${owner.pid}) uses ${folder}; stop it, or choose another folder: npm start -- --data DIR`,
    );
};

const answerOf = async (port: number): Promise<string | undefined> => {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}`, { signal: AbortSignal.timeout(1000) });
    return await answer.text();
  } catch {
    return undefined;
  }
};
