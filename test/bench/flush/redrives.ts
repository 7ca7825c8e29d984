import { resendShard } from '../../../functions/shared/store/debounce/debounce-row-store.ts';
import type { Call } from '../../simulation/kernel/process.ts';
import { manyAtOnce } from '../../simulation/worlds/crowd.ts';
import { redrivesBeforeFirstEvents } from '../../simulation/worlds/directed-worlds.ts';
import { epochMs } from '../../simulation/worlds/open-service.ts';
import { runWorld } from '../../simulation/worlds/world.ts';
import type { Print } from '../print.ts';

const minute = 60_000;
const redrives = 10_000;
/** Later than the last redrive is due: a quarter of an hour after its dead letter was collected. */
const firstEventsDueAtMs = 22 * minute;
/** Nothing is sent again before, so that all redrives are due; then they are under way when the first events fall due. */
const sentAgainFromMs = firstEventsDueAtMs - 15_000;
const isTooEarly = ({ port, method, args: [shard, nowMs] }: Call) =>
  port === 'debounceRows' &&
  method === 'due' &&
  shard === resendShard &&
  Number(nowMs) < epochMs + sentAgainFromMs;

/** How long twenty first events take behind redrives to another partner, and without them (EV-26, I21). */
export const printRedrives = async (print: Print): Promise<void> => {
  const without = await firstEventsBehind(0);
  const behind = await firstEventsBehind(redrives);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  print(
    ['20 first events, until the bus has the last', 'measured', 'goal'],
    [
      ['without redrives', seconds(without.lastMs), ''],
      [`behind ${behind.due} redrives, ${behind.unsent} of them not sent yet`, seconds(behind.lastMs), ''],
      ['later', seconds(behind.lastMs - without.lastMs), '≤ 10 s'],
    ],
  );
};

const firstEventsBehind = async (count: number) => {
  const world = await runWorld({
    ...{ ...redrivesBeforeFirstEvents(count), mode: 'none', workers: 8 },
    ...{ activeMs: firstEventsDueAtMs, isBroken: isTooEarly },
    acts: [...manyAtOnce(count), ...manyAtOnce(20, { fromMs: firstEventsDueAtMs - 2 * minute, group: 'G2' })],
  });
  const { accepted, notes } = world.history;
  const other = world.plan.partners.at(-1)?.partner.clientId;
  const first = accepted.filter(({ clientId }) => clientId === other).map(({ atMs }) => atMs);
  const dead = notes.filter(
    ({ call, answer }) =>
      call.method === 'move' && answer === true && (call.args[0] as { to: string }).to === 'DEAD',
  );
  const due = dead.filter(({ atMs }) => atMs + redriveMs <= firstEventsDueAtMs).length;
  const sentAgain = accepted.filter(({ clientId, atMs }) => clientId !== other && atMs > 10 * minute);
  const sentBefore = sentAgain.filter(({ atMs }) => atMs < firstEventsDueAtMs);
  if (sentAgain.length !== count) throw new Error(`${sentAgain.length} redrives were sent`);
  if (first.length !== 20) throw new Error(`${first.length} first events were sent`);
  return { lastMs: Math.max(...first) - firstEventsDueAtMs, due, unsent: due - sentBefore.length };
};

/** The time from a dead letter to the next try at an endpoint that is gone. */
const redriveMs = 15 * minute;
