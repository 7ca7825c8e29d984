import { Command } from 'commander';
import { startEngine } from '../support/engine/engine.ts';
import { callAnonymously } from './anonymous-calls.ts';
import { wholeNumberFrom } from './options.ts';
import { print } from './print.ts';

const { calls } = new Command('bench -- anonymous')
  .description(
    'Calls V1 without credentials in every way there is, over the real engine, and prints what the calls leave behind, what they cost, and what is left of them after 31 days (S-41, TH-26).',
  )
  .option('--calls <number>', 'how many', wholeNumberFrom(1), 10_000)
  .parse()
  .opts<{ calls: number }>();

const engine = await startEngine();
try {
  const { kinds, afterCalls, afterSweep, drift } = await callAnonymously(engine.documents, { calls });
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
    ['left', 'transactions', 'entries', 'counters', 'counts of sessions', 'events'],
    Object.entries({ 'after the calls': afterCalls, '31 days later': afterSweep }).map(([when, left]) => [
      ...[when, left.transactions, left.entries, left.counters, left.counts, left.events],
    ]),
  );
  const sum = kinds.reduce((all, { write }) => all + write, 0);
  console.log(`${calls} calls: ${sum} write units; the listing differs in ${drift} places`);
} finally {
  await engine.stop();
}
