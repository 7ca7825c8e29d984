import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** What the processes of a run share: each asks for its facts at `url`, and the first who asks starts it. */
export type Offer = { url: string; withdraw: () => Promise<void> };

/** Returns the JSON facts of what was started. A failed start is returned as `error`. */
export const offer = async <Started extends { stop: () => Promise<void> }>(
  start: () => Promise<Started>,
  factsOf: (started: Started) => object,
): Promise<Offer> => {
  let started: Promise<Started> | undefined;
  const server = createServer(async (_, response) => {
    started ??= start();
    const answer = await started.then(factsOf, (error: Error) => ({ error: error.message }));
    // A process that is busy ends kept connections late, and then just as the next question is sent on one.
    response.setHeader('Connection', 'close');
    response.end(JSON.stringify(answer));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    withdraw: async () => {
      server.closeAllConnections();
      server.close();
      await started?.then(
        ({ stop }) => stop(),
        () => {},
      );
    },
  };
};

/** The facts of the offer at the address in a variable. */
export const taken = async <Facts extends object>(variable: string): Promise<Facts> => {
  const answer = await fetch(process.env[variable] ?? '');
  const facts = (await answer.json()) as Facts & { error?: string };
  if (facts.error !== undefined) throw new Error(facts.error);
  return facts;
};
