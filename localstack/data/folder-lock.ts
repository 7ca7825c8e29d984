import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { UserError } from '../../bin/operator/user-error.ts';
import { readJsonFile, writePrivateJson } from './private-json.ts';

type LockOwner = { pid: number; port: number };

/**
 * Keeps other stages out of a folder until this process ends. The owner answers with the folder's name on a loopback
 * port, so a lock left by kill -9 is no obstacle, even when another process has its id or its port now.
 */
export const lockFolder = async (folder: string, lockFile: string): Promise<void> => {
  const owner = readJsonFile<LockOwner>(lockFile);
  if (owner && (await answerOf(owner.port)) === folder) {
    throw new UserError(
      `Another local stage (process ${owner.pid}) uses ${folder}; stop it, or choose another folder: npm start -- --data DIR`,
    );
  }
  const server = createServer((socket) => socket.on('error', () => {}).end(folder)).unref();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  writePrivateJson(lockFile, {
    pid: process.pid,
    port: (server.address() as AddressInfo).port,
  } satisfies LockOwner);
};

const answerOf = async (port: number): Promise<string | undefined> => {
  const socket = connect(port, '127.0.0.1').setTimeout(1000, () => socket.destroy());
  const parts: string[] = [];
  socket.on('data', (part) => parts.push(String(part)));
  try {
    await once(socket, 'close');
    return parts.join('');
  } catch {
    return undefined;
  }
};
