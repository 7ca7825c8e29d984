import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { type LoopbackServer, openLoopbackServer } from '../loopback/server.ts';
import { type Engine, startDynoxide } from './dynoxide.ts';

/** The stage's engine. The stage uses `endpoint`, other programs use `publicEndpoint`. */
export type GuardedEngine = Engine & { publicEndpoint: string };

/**
 * dynoxide checks no signature, accepts any `Host` and lets every origin read its answers (S-83). It therefore listens on a
 * port that browsers block, and other programs use a guarded port. An engine of `DYNAMODB_ENDPOINT` keeps its address.
 */
export const startGuardedEngine = async (dbPath: string): Promise<GuardedEngine> => {
  const engine = await startDynoxide({ dbPath, outOfReach: true });
  if (engine.pid === undefined) return { ...engine, publicEndpoint: engine.endpoint };
  const door = await openEngineDoor(engine.endpoint);
  const stop = async () => {
    await door.stop();
    await engine.stop();
  };
  return { ...engine, publicEndpoint: door.url, stop };
};

const openEngineDoor = (endpoint: string): Promise<LoopbackServer> => {
  const agent = new Agent({ keepAlive: true });
  return openLoopbackServer((asked, answer) => passOn(asked, answer, { endpoint, agent }));
};

const passOn = (
  asked: IncomingMessage,
  answer: ServerResponse,
  { endpoint, agent }: { endpoint: string; agent: Agent },
) => {
  const { method, url: path, headers } = asked;
  const passed = request(endpoint, { method, path, headers, agent }, (given) => {
    answer.writeHead(given.statusCode ?? 502, given.headers);
    pipeline(given, answer, () => {});
  });
  passed.on('error', () => answer.destroy());
  answer.on('close', () => answer.writableFinished || passed.destroy());
  asked.pipe(passed);
};
