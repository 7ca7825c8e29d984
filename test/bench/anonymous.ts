import Table from 'cli-table3';
import { Command } from 'commander';
import { startEngine } from '../support/engine/engine.ts';
import { callAnonymously, type Left } from './anonymous-calls.ts';
import { wholeNumberFrom } from './options.ts';

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
  const plain = { head: [], border: [] };
  const costs = new Table({ style: plain, head: ['call', 'calls', 'answers', 'WCU a call', 'RCU a call'] });
  for (const { name, calls: count, answers, write, read } of kinds)
    costs.push([
      name,
      count,
      Object.entries(answers)
        .map(([status, times]) => `${times} × ${status}`)
        .join(', '),
      (write / count).toFixed(2),
      (read / count).toFixed(2),
    ]);
  console.log(costs.toString());
  const left = new Table({
    style: plain,
    head: ['left', 'transactions', 'entries', 'counters', 'counts of sessions', 'events'],
  });
  const row = ({ transactions, entries, counters, counts, events }: Left) => [
    transactions,
    entries,
    counters,
    counts,
    events,
  ];
  left.push(['after the calls', ...row(afterCalls)], ['31 days later', ...row(afterSweep)]);
  console.log(left.toString());
  const sum = kinds.reduce((all, { write }) => all + write, 0);
  console.log(`${calls} calls: ${sum} write units; the listing differs in ${drift} places`);
} finally {
  await engine.stop();
}
