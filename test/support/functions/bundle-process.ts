import { createRequire } from 'node:module';

/** What a call came to: an answer, or the fault that the function threw. */
export type BundleOutcome = { answer: unknown } | { fault: string };

/** `node bundle-process.ts <bundle> <export> <event>`, started with a channel: loads a bundle, calls it once, and tells its outcome. */
const call = async ([file = '', name = '', event = '']: string[]): Promise<BundleOutcome> => {
  const context = {
    awsRequestId: 'request-1',
    functionName: name,
    getRemainingTimeInMillis: () => 15_000,
  };
  try {
    const { [name]: handler } = createRequire(import.meta.url)(file);
    return { answer: await handler(JSON.parse(event), context) };
  } catch (fault) {
    return { fault: fault instanceof Error ? `${fault.name}: ${fault.message}` : String(fault) };
  }
};

const outcome = await call(process.argv.slice(2));
process.send?.(outcome, () => process.exit());
