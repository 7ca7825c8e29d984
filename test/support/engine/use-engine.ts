import { afterAll, beforeAll } from '@jest/globals';
import { type StartedEngine, startEngine, type TestEngine } from './engine.ts';

/** On a machine with other work, synthesis and the engine take their time. */
const busyMs = 180_000;

/** An engine for the tests of a file: there from before the first of them until after the last. */
export const useEngine = (): TestEngine => {
  let engine: StartedEngine | undefined;
  beforeAll(async () => {
    engine = await startEngine();
  }, busyMs);
  afterAll(() => engine?.stop());

  const running = (): TestEngine => {
    if (!engine) throw new Error('The engine runs while tests do.');
    return engine;
  };
  return {
    get endpoint() {
      return running().endpoint;
    },
    get client() {
      return running().client;
    },
    get documents() {
      return running().documents;
    },
    get suffix() {
      return running().suffix;
    },
  };
};
