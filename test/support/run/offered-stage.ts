import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startStage, type TestStage } from '../stage/stage.ts';

/**
 * A stage with the demo data for all files of a run: it starts in the run's own process when the first file asks for it, and
 * a run that needs none starts none.
 */
export const offerStage = async () => {
  let stage: Promise<TestStage> | undefined;
  const server = createServer(async (_, response) => {
    stage ??= startStage({ demo: true });
    const answer = await stage.then(
      ({ baseUrl, authUrl, dataDir, stack }) => ({ baseUrl, authUrl, dataDir, stack }),
      (error: Error) => ({ error: error.message }),
    );
    response.end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    withdraw: async () => {
      server.closeAllConnections();
      server.close();
      await stage?.then(
        ({ stop }) => stop(),
        () => {},
      );
    },
  };
};
