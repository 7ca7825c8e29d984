import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Systems give out ports from 32,768 on, so a pair below stays free until the stage listens. */
const [lowest, end] = [20_000, 32_700];

/** A free port for the APIs whose neighbour, for the webhook receiver, is free as well. */
export const freePortPair = async (): Promise<number> => {
  const port = randomInt(lowest, end);
  return (await isFree(port)) && (await isFree(port + 1)) ? port : freePortPair();
};

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) {
    server.close();
    await once(server, 'close');
  }
  return isListening;
};
