import { evaluate } from './checks/checks.ts';
import { explore } from './explorer/explore.ts';
import { scenarios } from './explorer/scenarios.ts';
import type { FaultMode } from './kernel/faults.ts';
import { type DirectedWorld, directedWorlds, evaluateDirected } from './worlds/directed-worlds.ts';
import { comparePair, pairs } from './worlds/pairs.ts';
import { runWorld } from './worlds/world.ts';
import { randomWorld } from './worlds/worlds.ts';

/** Which invariant has caught a fault, and how soon; `by` is absent when none has. */
export type Caught = { by?: string; after: string };

/** A few random worlds, then the interleavings, then more worlds: most faults show at once. */
const stages = [
  { seeds: [1], mode: 'none' },
  { seeds: [1, 2], mode: 'one' },
  { seeds: [1, 2], mode: 'many' },
  'lost stream records',
  'interleavings',
  'pairs',
  'directed worlds',
  { seeds: Array.from({ length: 10 }, (_, index) => 3 + index), mode: 'many' },
  { seeds: Array.from({ length: 20 }, (_, index) => 3 + index), mode: 'one' },
] as const;

const search = async (): Promise<Caught> => {
  let worlds = 0;
  for (const stage of stages) {
    if (typeof stage === 'string') {
      const caught = await searches[stage]();
      if (caught) return caught;
      continue;
    }
    for (const seed of stage.seeds) {
      worlds += 1;
      const by = await invariantsOf(seed, stage.mode);
      if (by) return { by, after: `${worlds} ${worlds === 1 ? 'world' : 'worlds'} (faults ${stage.mode})` };
    }
  }
  return { after: `${worlds} worlds and the interleavings` };
};

const invariantsOf = async (seed: number, mode: FaultMode) => {
  try {
    const { findings } = evaluate(await runWorld(randomWorld(seed, { mode, hours: 1 })));
    return namesOf(findings);
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault);
  }
};

const namesOf = (findings: readonly { invariant: string }[]) =>
  findings.length === 0
    ? undefined
    : [...new Set(findings.map(({ invariant }) => invariant))].sort().join(', ');

const searchInterleavings = async (): Promise<Caught | undefined> => {
  for (const scenario of scenarios) {
    const preemptions = Math.min(2, scenario.bounds.preemptions);
    const { findings, orders } = await explore({ ...scenario, bounds: { ...scenario.bounds, preemptions } });
    const by = namesOf(findings);
    if (by) return { by, after: `order ${orders} of "${scenario.name}"` };
  }
  return undefined;
};

const searchWorlds = async (worlds: readonly DirectedWorld[]): Promise<Caught | undefined> => {
  for (const directed of worlds) {
    const by = namesOf(await evaluateDirected(directed));
    if (by) return { by, after: `"${directed.title}"` };
  }
  return undefined;
};

const searchPairs = async (): Promise<Caught | undefined> => {
  for (const pair of pairs) {
    const by = namesOf(await comparePair(pair, pair.seeds[0] ?? 1));
    if (by) return { by, after: `"${pair.title}"` };
  }
  return undefined;
};

const small = directedWorlds.filter(({ plan }) => plan.acts.length < 1_000);
const searches = {
  'lost stream records': () => searchWorlds(small.filter(({ plan }) => plan.isStreamLost)),
  interleavings: searchInterleavings,
  pairs: searchPairs,
  'directed worlds': () => searchWorlds(small),
};

console.log(JSON.stringify(await search()));
process.exit(0);
