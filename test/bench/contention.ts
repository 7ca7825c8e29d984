import { modelled } from './contention/modelled.ts';
import { type Scenario, scenarios, shareAt, shareOf } from './contention/scenarios.ts';
import { print } from './measuring.ts';

const rates = [1, 5, 10, 20, 40, 45, 60];

/** By the model, with the deployed numbers; fails where `modelled.ts`, which documents are made from, has other figures. */
export const run = async () => {
  const names = Object.keys(scenarios) as Scenario[];
  const shares = await Promise.all(names.map((name) => shareOf(name)));
  const alone = await Promise.all(rates.map(shareAt));
  print(
    ['beside 5 honest writes a second', 'percent taken', 'at the first try'],
    [
      ...shares.map(({ taken, atOnce }, index) => [names[index] ?? '', taken, atOnce]),
      ...alone.map(({ taken, atOnce }, index) => [`${rates[index]} a second, alone`, taken, atOnce]),
    ],
  );
  const outdated = names.filter((name, index) => {
    const { taken, atOnce } = shares[index] ?? {};
    return JSON.stringify([taken, atOnce]) !== JSON.stringify(modelled.besides[name]);
  });
  if (outdated.length > 0) throw new Error(`modelled.ts has other figures for: ${outdated.join('; ')}`);
};
