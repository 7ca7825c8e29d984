import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { Refusal } from './refusal.ts';

/** A loopback port that nobody listens on at this moment. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
};

/** Says early, before anything slow, that the front door cannot open. */
export const refuseTakenPort = async (port: number): Promise<void> => {
  const server = createServer().listen(port, '127.0.0.1');
  await once(server, 'listening').catch((error: NodeJS.ErrnoException) => {
    const why =
      error.code === 'EADDRINUSE' ? 'is taken by another program' : `cannot be used (${error.code})`;
    throw new Refusal(
      `Port ${port} ${why}; choose another: PORT=${port === 65535 ? 9000 : port + 1} npm start`,
    );
  });
  server.close();
  await once(server, 'close');
};
