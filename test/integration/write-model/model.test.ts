import { expect, test } from '@jest/globals';
import { seedOfRun } from '../../support/builders/random.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { numberVariable } from '../../support/run/numbers.ts';
import { runProgram } from './model-program.ts';

/** CI asks for 500 with `MODEL_PROGRAMS`. */
const programs = process.env.SEED === undefined ? numberVariable('MODEL_PROGRAMS', 12) : 1;

const engine = useEngine();

test('random programs of up to 8 writers, with faults and crashes, end as the model says (WR-1 to WR-3, V2-4, DEL-1, OWN-2)', async () => {
  const firstSeed = seedOfRun('programs of writers');
  const counts: string[] = [];

  for (let program = 0; program < programs; program += 1) {
    const seed = firstSeed + program;
    const run = await runProgram(engine, { seed, suffix: `-${program}` });
    expect({ seed, findings: run.findings }).toEqual({ seed, findings: [] });
    counts.push(...run.counts);
  }

  const sums = [...Map.groupBy(counts, (name) => name)].map(([name, { length }]) => `${name}: ${length}`);
  console.info(`seeds ${firstSeed} to ${firstSeed + programs - 1}: ${sums.join(', ')}`);
}, 600_000);
