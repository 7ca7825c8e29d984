import { callAnonymously } from './anonymous-calls.ts';
import { onEngine, print } from './measuring.ts';

/** Calls V1 without credentials in every way there is: what that costs, and what is left then and after 31 days. */
export const run = ({ calls }: { calls: number }) =>
  onEngine(async ({ documents }) => {
    const { kinds, afterCalls, afterSweep, drift } = await callAnonymously(documents, { calls });
    print(
      ['call', 'calls', 'answers', 'WCU a call', 'RCU a call'],
      kinds.map(({ name, calls: count, answers, write, read }) => [
        ...[name, count],
        Object.entries(answers)
          .map(([status, times]) => `${times} × ${status}`)
          .join(', '),
        ...[(write / count).toFixed(2), (read / count).toFixed(2)],
      ]),
    );
    print(
      ['left', ...Object.keys(afterCalls)],
      Object.entries({ 'after the calls': afterCalls, '31 days later': afterSweep }).map(([when, left]) => [
        when,
        ...Object.values(left),
      ]),
    );
    const sum = kinds.reduce((all, { write }) => all + write, 0);
    console.log(`${calls} calls: ${sum} write units; the listing differs in ${drift} places`);
  });
