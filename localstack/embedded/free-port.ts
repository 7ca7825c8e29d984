import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { UserError } from '../../bin/operator/user-error.ts';

/** A loopback port that is free now. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Throws a UserError early if the port of the APIs, or the next one for the webhook receiver, is taken. */
export const refuseTakenPorts = async ({ port, demo }: { port: number; demo: boolean }): Promise<void> => {
  // Suggests a port two further: the next one probably belongs to the same program.
  const suggestion = `PORT=${port > 65000 ? 9000 : port + 2} npm start`;
  await refuseTakenPort(port, '', suggestion);
  if (demo) await refuseTakenPort(port + 1, ', for the webhook receiver,', suggestion);
};

const refuseTakenPort = async (port: number, use: string, suggestion: string): Promise<void> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`;
    throw new UserError(`Port ${port}${use} ${why}; choose another: ${suggestion}`);
  });
  server.close();
  await once(server, 'close');
};
