import type { ProbeAnswer } from '../../../functions/shared/outbound/probe/test-message.ts';
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

/** How long the bus waits for an answer. */
const timeoutMs = 5_000;

/** Partners' endpoints; what reaches one is in the history, however it answers. */
export const createReceivers = (
  spells: ReadonlyMap<string, readonly Spell[]>,
  { history, random }: { history: History; random: Random },
) => {
  const healthOf = ({ clientId, atMs }: Pick<Asked, 'clientId' | 'atMs'>): Health =>
    spells.get(clientId)?.find(({ fromMs, untilMs }) => fromMs <= atMs && atMs < untilMs)?.health ?? 'well';
  return {
    ask: (asked: Asked): Answered => {
      const answer = answerOf(healthOf(asked), random);
      if (answer.kind !== 'unreachable')
        history.arrivals.push({
          ...asked,
          answer: answer.kind === 'answered' ? String(answer.status) : answer.kind,
        });
      return answer;
    },
    /** A wrong signature, and then the right one. */
    answersOf: (asked: Pick<Asked, 'clientId' | 'atMs'>): ProbeAnswer[] =>
      ({
        well: [{ status: 401 }, { status: 200 }],
        slow: [{ status: 401 }, { status: 202 }],
        hanging: [{ fault: 'timed out' }],
        failing: [{ status: 500 }, { status: 503 }],
        gone: [{ status: 410 }, { status: 410 }],
        unreachable: [{ fault: 'name not found' }],
      })[healthOf(asked)],
  };
};

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
