import { createWriteStream, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../../bin/operator/user-error.ts';
import { announcement, findTrials } from './announcement.ts';
import { nameInArn } from './aws/api-destinations.ts';
import { busRecords } from './aws/bus.ts';
import type { Attempt } from './aws/delivery.ts';
import { openClock } from './clock.ts';
import { openIdentityProvider } from './demo/identity-provider.ts';
import { loadDemo, openDemo } from './demo/load.ts';
import { makeSite } from './documents.ts';
import { startDynoxide } from './engine.ts';
import { asSentence, type DataFolder, openFolder, writePrivateJson } from './folder.ts';
import { refuseTakenPorts } from './free-port.ts';
import { tellUnhandled } from './instances.ts';
import { readOptions, type StartOptions, usage } from './options.ts';
import { openPage, type Page } from './page.ts';
import { openReceiver } from './receiver.ts';
import { operatorAccess, type StackFile } from './stack-file.ts';
import { openStage } from './stage.ts';
import { openState } from './state.ts';

/** `npm start`: the whole service on this machine until the signal stops it (RUN-1). Sets the exit code. */
export const main = async (args: string[], stopping: AbortSignal): Promise<void> => {
  let code = 0;
  try {
    const options = readOptions(args, process.env);
    if (options.help) console.log(usage);
    else await run(options, stopping);
  } catch (error) {
    code = 1;
    if (error instanceof UserError) console.error(error.message);
    else console.error('The embedded stage failed because of an internal fault:', error);
  }
  end(code);
};

const run = async (options: StartOptions, stopping: AbortSignal) => {
  const stops: (() => Promise<void> | void)[] = [];
  const stopped = new Promise<void>((resolve) => {
    if (stopping.aborted) resolve();
    stopping.addEventListener('abort', () => resolve());
  });
  try {
    await start(options, stops, stopping);
    await stopped;
  } catch (error) {
    // Ctrl-C ends the steps of a start, which is no failure.
    if (!stopping.aborted) throw asSentence(error, resolve(options.dataFolder));
  } finally {
    for (const stopPart of stops.toReversed()) await stopPart();
  }
};

const start = async (
  options: StartOptions,
  stops: (() => Promise<void> | void)[],
  stopping: AbortSignal,
): Promise<void> => {
  const { port, demo: hasDemo, dormancySeconds, tickSeconds } = options;
  const { folder, close: closeFolder } = await openFolder(options.dataFolder, {
    fresh: options.fresh,
    // After the lock, since another stage in the folder usually has the ports as well.
    beforeChanges: () => refuseTakenPorts({ port, demo: hasDemo }),
  });
  stops.push(closeFolder);
  stopping.throwIfAborted();
  makeSite(join(folder.docs, 'site'));
  const { write, close } = openLog(folder);
  stops.push(close);
  tellUnhandled((whose, error) =>
    console.error(`${whose} left a rejection unhandled, which ends it on Lambda:`, error),
  );

  // The stage's clock moves ahead of the engine's, and the SDK would take each refused condition for a skewed clock and send it
  // again. It reads this once in a process, before its first request.
  process.env.AWS_DISABLE_CLOCK_SKEW_CORRECTION = 'true';
  console.log('Starting the DynamoDB engine …');
  const engine = await startDynoxide({ dbPath: folder.tables, outOfReach: true });
  stops.push(engine.stop);
  stopping.throwIfAborted();
  const state = openState(folder.state);
  stops.push(state.close);
  const clock = openClock(state.records<number>('clock'));
  stops.push(clock.close);

  const demo = openDemo(folder, port + 1);
  const source = 'svc.local.online-payments';
  /** Until the demo is loaded, only checks of its addresses arrive. */
  let isLoaded = demo.complete;
  const receiver = hasDemo ? await openDemoReceiver() : undefined;
  if (receiver) stops.push(receiver.stop);
  async function openDemoReceiver() {
    const origins = () => demo.storefronts.flatMap((storefront) => storefront.origins as string[]);
    const provider = await openIdentityProvider(port + 1, origins);
    return openReceiver({
      ...{ port: port + 1, state, source, beside: provider.handle, admits: provider.admits },
      say: (line) => isLoaded && console.log(line),
      issuedTo: (partner) => demo.partners.find(({ name }) => name === partner)?.webhookSignature,
    });
  }

  console.log('Starting the functions …');
  /** From the moment when all is ready. */
  let page: Page | undefined;
  const stage = await openStage({
    ...{ port, state, clock, dormancySeconds, tickSeconds, write, warn: console.log },
    engine: { endpoint: engine.endpoint, ...(engine.pid !== undefined && { dbPath: folder.tables }) },
    onLateWork: (name, what) =>
      console.log(`${name} goes on after its answer, which Lambda would stop: ${what}`),
    onAttempt: async (attempt) => {
      write('bus', `${JSON.stringify(lineOf(attempt))}\n`);
      page?.note(attempt);
    },
    beside: (request, response) => page?.handle(request, response) === true,
    siteIn: folder.docs,
  });
  stops.push(stage.stop);
  stopping.throwIfAborted();
  const { baseUrl, createdTables } = stage;
  if (createdTables.length > 0) console.log(`Created the tables ${createdTables.join(', ')}.`);

  const stack: StackFile = {
    baseUrl,
    authUrl: baseUrl,
    ...(receiver && { receiverUrl: receiver.url }),
    partners: demo.partners,
    storefronts: demo.storefronts,
    clock: { aheadMs: clock.aheadMs() },
    operator: operatorAccess(stage.variables, { dynamodb: engine.endpoint, aws: stage.aws.url }),
    processes: { stage: process.pid, engine: engine.pid },
  };
  if (receiver) {
    const stackFile = `${folder.path}/stack.pending.json`;
    writePrivateJson(stackFile, stack);
    await loadDemo(demo, { ...{ folder, stackFile, stopping, stage, port: port + 1 }, say: console.log });
    rmSync(stackFile);
    isLoaded = true;
  }
  page = openPage({ clock, receiver, stack });
  writePrivateJson(folder.stack, stack);
  clock.onMove((byMs) =>
    writePrivateJson(folder.stack, { ...stack, clock: { aheadMs: clock.aheadMs() + byMs } }),
  );

  const signatureSentTo = (url: string): string | undefined => {
    const { connections, destinations } = busRecords(state);
    const destination = destinations.list().find(({ InvocationEndpoint }) => InvocationEndpoint === url);
    const connection = connections.get(nameInArn(destination?.ConnectionArn ?? ''));
    return connection?.AuthParameters.ApiKeyAuthParameters.ApiKeyValue;
  };
  const trials = await findTrials(stack);
  stopping.throwIfAborted();
  // Since the process began, which is what a person waited for.
  const seconds = performance.now() / 1000;
  const signaturesOf = receiver?.signaturesOf ?? (() => []);
  console.log(announcement({ stack, folder, trials, signatureSentTo, signaturesOf, seconds }));
};

/** The lines of all functions in one file, which only its owner may read. */
const openLog = ({ log }: DataFolder) => {
  const file = createWriteStream(log, { mode: 0o600 });
  file.on('error', (error) => console.error(`The log ${log} cannot be written: ${error.message}`));
  return {
    write: (name: string, line: string) => void file.write(line.startsWith('{') ? line : `${name}: ${line}`),
    close: () => new Promise<void>((resolve) => file.end(resolve)),
  };
};

/** An attempt without bodies and header values. */
const lineOf = ({ event, destination, attempt, startedMs, result, next }: Attempt) => ({
  at: new Date(startedMs).toISOString(),
  event: event.id,
  destination,
  attempt,
  ...result,
  verdict: next.kind,
});

/**
 * Ends the process when nothing is open any more, or after a second. `process.exit` at once may wait for ever: it joins V8's
 * background threads, and one that compiles may wait for a garbage collection that the main thread no longer makes.
 */
const end = (code: number) => {
  process.exitCode = code;
  setTimeout(() => process.exit(), 1_000).unref();
};
