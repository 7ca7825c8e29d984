import { flushDue } from '../../../functions/shared/publish/flush.ts';
import { startEngine } from '../../support/engine/engine.ts';
import { create, openPlace, type Place, partnerOf, recordChange } from '../events-units.ts';
import type { Print } from '../print.ts';
import { productionClient } from '../production-client.ts';

const rowsOfRound = 500;
const rounds = 5;
const atOnce = 25;

/** The processor time of one run for an event and recipient; the engine is a process of its own. */
export const printProcessorTime = async (print: Print): Promise<void> => {
  const engine = await startEngine();
  try {
    const place = await openPlace(engine.endpoint, productionClient(engine.endpoint));
    await place.partners.create({ partner: partnerOf(0), secrets: [] }, 's');
    const times: number[] = [];
    for (let round = 1; round <= rounds; round += 1) times.push(await timeOf(place, round * 100_000));
    const median = times.toSorted((one, other) => one - other)[Math.floor(rounds / 2)] ?? 0;
    print(
      ['one run over the engine', 'median of five', 'goal'],
      [['processor time for an event and recipient', `${median.toFixed(2)} ms`, '≤ 2 ms']],
    );
  } finally {
    await engine.stop();
  }
};

const timeOf = async (place: Place, base: number): Promise<number> => {
  for (let number = base; number < base + rowsOfRound; number += atOnce)
    await Promise.all(Array.from({ length: atOnce }, (_, index) => makeDue(place, number + index)));
  place.time.nowMs += 10 * 60_000;
  const before = process.cpuUsage();
  await flushDue(place.publishing, { beginUntilMs: place.time.nowMs + 60_000 });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000 / rowsOfRound;
};

const makeDue = async (place: Place, number: number) => {
  const stored = await create(place, number, 'group-b');
  await recordChange(place, stored.transaction.uuid);
};
