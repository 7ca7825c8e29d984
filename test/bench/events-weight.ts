import type { Call, Process, WaitMs } from '../simulation/kernel/process.ts';
import { progressOver } from '../simulation/report.ts';
import { listeners, manyAtOnce } from '../simulation/worlds/crowd.ts';
import type { PartnerPlan } from '../simulation/worlds/partner-program.ts';
import { runWorld, type World } from '../simulation/worlds/world.ts';
import type { Print } from './print.ts';

/** What becomes of a crowd of partners on a virtual clock: production code, with the waits that AWS has. */
export const printWeight = async (print: Print): Promise<void> => {
  const rows: (string | number)[][] = [];
  const progress = progressOver(weights.length, 'worlds');
  for (const { partners, due, diesAfterMs, goal } of weights) {
    const world = await runWorld({
      ...{ seed: 1, mode: 'none', activeMs: 5 * minute, restMs: 10 * minute, isEmbedded: false },
      ...{
        acts: manyAtOnce(due),
        partners: listeners(partners).map(ready),
        samples: 0,
        waitMs: waitsOfAws(),
      },
      ...(diesAfterMs !== undefined && { flushDiesAfterMs: diesAfterMs }),
    });
    const name = `${partners} partners × ${due} rows, runs end at ${(diesAfterMs ?? 15_000) / 1_000} s`;
    rows.push([name, ...figuresOf(world), goal]);
    progress.step();
  }
  progress.stop();
  print(['due in one second', 'completed after', 'deliveries', 'copies', 'goal'], rows);
};

const minute = 60_000;

/** Each of them is to receive everything. */
const ready = (plan: PartnerPlan): PartnerPlan => {
  const { webhookPaused: _, ...partner } = plan.partner;
  return { ...plan, partner: { ...partner, enabled: true, oauthScopes: ['nop2/read'] } };
};

/** A run that is ended earlier does not know it before. */
const weights: { partners: number; due: number; diesAfterMs?: number; goal: string }[] = [
  { partners: 300, due: 20, goal: '≤ 60 s, no copy' },
  { partners: 1_000, due: 20, goal: '≤ 60 s, no copy' },
  { partners: 1_000, due: 20, diesAfterMs: 3_000, goal: 'few copies' },
  { partners: 3_000, due: 3, goal: '≤ 60 s, no copy' },
];

/** Half a millisecond of the run's own for each request, one after the other; then the way, which many go at once. */
const waitsOfAws = (): WaitMs => {
  const busyUntil = new WeakMap<Process, number>();
  return ({ process, call, leg, nowMs }) => {
    if (leg === 'answer') return wayMs(call);
    const untilMs = Math.max(nowMs, busyUntil.get(process) ?? 0) + 0.5;
    busyUntil.set(process, untilMs);
    return untilMs - nowMs + wayMs(call);
  };
};

/** There, and as long back. */
const wayMs = ({ port, method }: Call) => {
  if (method === 'putEvents') return 25;
  return port === 'queue' ? 10 : 4;
};

/** From the moment in which the last of them rested. */
const figuresOf = ({ history }: World) => {
  const dueAtMs = Math.max(...history.commits.map(({ atMs }) => atMs)) + 120_000;
  const completedAtMs = Math.max(...history.completedSends.map(({ atMs }) => atMs));
  const sent = new Set(history.accepted.map(({ eventId, clientId }) => `${eventId}/${clientId}`));
  return [
    `${((completedAtMs - dueAtMs) / 1_000).toFixed(1)} s (${history.completedSends.length})`,
    sent.size,
    history.accepted.length - sent.size,
  ];
};
