import { createServer } from 'node:http';
import { tellUnhandled } from '../../../localstack/embedded/instances.ts';
import { tinyFunctions } from './tiny-function.ts';

/** A process whose function writes to standard output, and leaves a rejection unhandled; then the next call is answered. */
const open = createServer().listen(0, '127.0.0.1');
tellUnhandled((whose, error) => {
  console.error(`${whose} left unhandled: ${error}`);
  void invoke('v2-read', 'next').then((outcome) => open.close(() => console.log(outcome)));
});
const handlers = {
  'v2-read': () => async (event: unknown) => {
    if (event === 'next') return 'goes on';
    process.stdout.write('a secret on standard output\n');
    console.error('a secret on standard error');
    void (async () => {
      await new Promise(setImmediate);
      throw new Error('nobody waits for it');
    })();
    setImmediate(() => process.stdout.write('a secret after the answer\n'));
    return 'first';
  },
};
const { invoke } = tinyFunctions(handlers, (name) => console.error(`${name} went on`));
console.log(await invoke('v2-read', 'first'));
