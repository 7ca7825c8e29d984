import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** The synthesis of a run: a thread beside its own process, so that the stage and the browser are still offered meanwhile. */
export const offerSynthesis = async () => {
  const thread = new Worker(new URL('synthesis-thread.ts', import.meta.url));
  const [url] = (await once(thread, 'message')) as [string];
  return { url, withdraw: () => thread.terminate() };
};
