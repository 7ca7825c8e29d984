import { setFlagsFromString } from 'node:v8';
import { UserError } from '../bin/operator/user-error.ts';
import { announcement } from './announcement.ts';
import { findTrials } from './demo/trial.ts';
import { readOptions, type StageOptions, usage } from './options.ts';
import { startStage } from './stage.ts';

/** `npm start`: the whole service on this machine until Ctrl-C (RUN-1). */
const main = async () => {
  refuseOldNode();
  preferMemory();
  const options = readOptions(process.argv.slice(2), process.env);
  if (options.help) console.log(usage);
  else await run(options);
};

const refuseOldNode = () => {
  const major = Number(process.versions.node.split('.')[0]);
  if (major < 24)
    throw new UserError(
      `Node ${process.versions.node} is too old: npm ci brings Node 24, and npm start uses it.`,
    );
};

/**
 * Saves 125 to 250 MB under load, for other programs of the developer's machine. The semi-space starts at its limit
 * (`lambda/functions.ts`), since a smaller one fills too often.
 */
const preferMemory = () => {
  for (const flag of ['--optimize-for-size', '--min-semi-space-size=8']) setFlagsFromString(flag);
};

const run = async (options: StageOptions) => {
  const started = performance.now();
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => askToStop(stop));
  const stage = await startStage(options, console.log).catch((error: unknown) => {
    // Ctrl-C also ends the child processes that prepare the stage, which is no failure.
    if (!stop.signal.aborted) throw error;
  });
  if (!stage) return;
  const seconds = (performance.now() - started) / 1000;
  console.log(announcement({ stage, trials: await findTrials(stage.stack), seconds }));
  await until(stop.signal);
  console.log('Stopping …');
  await stage.stop();
};

/** The second signal ends the process at once. */
const askToStop = (stop: AbortController) => {
  if (stop.signal.aborted) process.exit(130);
  stop.abort();
};

const until = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve());
  });

/**
 * Ends the process when nothing is open any more, or after a second. `process.exit` at once may wait for ever: it joins V8's
 * background threads, and one that compiles may wait for a garbage collection that the main thread no longer makes.
 */
const end = (code: number) => {
  process.exitCode = code;
  setTimeout(() => process.exit(), 1_000).unref();
};

main().then(
  () => end(0),
  (error: unknown) => {
    if (error instanceof UserError) console.error(error.message);
    else console.error('The local stage failed because of an internal fault:', error);
    end(1);
  },
);
