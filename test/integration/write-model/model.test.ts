import { expect, test } from '@jest/globals';
import { seedOfRun } from '../../support/builders/random.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { runProgram } from './model-program.ts';

/** CI asks for 500 with `MODEL_PROGRAMS`. */
const programs = Number(process.env.MODEL_PROGRAMS ?? 12);

const engine = useEngine();

const add = (sums: Record<string, number>, counts: Record<string, number>) => {
  for (const [name, count] of Object.entries(counts)) sums[name] = (sums[name] ?? 0) + count;
};

test('random programs of up to 8 writers, with faults and crashes, end as the model says (WR-1 to WR-3, V2-4, DEL-1, OWN-2)', async () => {
  const firstSeed = seedOfRun('programs of writers');
  const runs = process.env.SEED === undefined ? programs : 1;
  const sums: Record<string, number> = {};

  for (let program = 0; program < runs; program += 1) {
    const seed = firstSeed + program;
    const run = await runProgram({ engine, seed, suffix: `-${program}` });
    if (run.findings.length > 0) console.error(`SEED=${seed} shows it again`);
    expect({ seed, findings: run.findings }).toEqual({ seed, findings: [] });
    const answers = run.told.map(({ operation, reply }) => [`${operation.kind} ${reply.status}`, 1]);
    for (const answer of answers) add(sums, Object.fromEntries([answer]));
    add(sums, { ...run.struck, replays: run.replays, commits: run.commits });
  }

  console.info(`seeds ${firstSeed} to ${firstSeed + runs - 1}: ${JSON.stringify(sums)}`);
}, 600_000);
