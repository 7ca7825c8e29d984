import { once } from 'node:events';
import { createServer } from 'node:net';
import { freePort } from '../../../localstack/free-port.ts';

/** A free port for the APIs whose neighbour, for the webhook receiver, is free as well. */
export const freePortPair = async (): Promise<number> => {
  const port = await freePort();
  return (await isFree(port + 1)) ? port : freePortPair();
};

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) server.close();
  return isListening;
};
