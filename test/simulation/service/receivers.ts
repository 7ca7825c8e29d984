import type { Random } from '../../support/builders/random.ts';
import type { History } from './history.ts';

/** How an endpoint behaves for a while. */
export type Health = 'well' | 'slow' | 'hanging' | 'failing' | 'gone' | 'unreachable';
export type Spell = { fromMs: number; untilMs: number; health: Health };

export type Asked = {
  atMs: number;
  clientId: string;
  url: string;
  body: string;
  headers: { [name: string]: string };
};
export type Answered =
  | { kind: 'answered'; status: number; afterMs: number }
  | { kind: 'timed-out'; afterMs: number }
  | { kind: 'unreachable'; afterMs: number };

/** The bus waits so long for an answer. */
const timeoutMs = 5_000;

/** Partners' endpoints; what reaches one is in the history, however it answers. */
export const createReceivers = (
  spells: ReadonlyMap<string, readonly Spell[]>,
  { history, random }: { history: History; random: Random },
) => ({
  ask: (asked: Asked): Answered => {
    const { clientId, atMs } = asked;
    const spell = spells.get(clientId)?.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs);
    const answer = answerOf(spell?.health ?? 'well', random);
    if (answer.kind !== 'unreachable')
      history.arrivals.push({
        ...asked,
        answer: answer.kind === 'answered' ? String(answer.status) : answer.kind,
      });
    return answer;
  },
});

export type Receivers = ReturnType<typeof createReceivers>;

const answerOf = (health: Health, random: Random): Answered => {
  switch (health) {
    case 'well':
      return { kind: 'answered', status: 200, afterMs: random.integer(20, 200) };
    case 'slow':
      return { kind: 'answered', status: 202, afterMs: random.integer(1_000, 4_900) };
    case 'hanging':
      return { kind: 'timed-out', afterMs: timeoutMs };
    case 'failing':
      return { kind: 'answered', status: random.oneOf([500, 503, 429]), afterMs: random.integer(20, 200) };
    case 'gone':
      return { kind: 'answered', status: random.oneOf([404, 410, 400]), afterMs: random.integer(20, 200) };
    case 'unreachable':
      return { kind: 'unreachable', afterMs: 10 };
    default:
      return health satisfies never;
  }
};
