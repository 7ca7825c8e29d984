import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';

/** How a partner's receiver does, by choice: well, or broken in one of the ways that real ones are. */
export const conditions = ['well', 'answers 500', 'answers 401', 'does not answer'] as const;
export type Condition = (typeof conditions)[number];

/** The condition of each partner's receiver. A new start of the stage mends all. */
export const createConditions = () => {
  const chosen = new Map<string, Condition>();
  return {
    of: (partner: string): Condition => chosen.get(partner) ?? 'well',
    choose: (partner: string, condition: Condition) => void chosen.set(partner, condition),
  };
};
export type Conditions = ReturnType<typeof createConditions>;

/** What a broken receiver answers, or undefined where it is well. One that does not answer holds on until the sender leaves. */
export const brokenAnswer = async (
  request: IncomingMessage,
  condition: Condition,
): Promise<{ status: number } | undefined> => {
  if (condition === 'well') return undefined;
  request.resume();
  if (condition === 'answers 500') return { status: 500 };
  if (condition === 'answers 401') return { status: 401 };
  await once(request.socket, 'close');
  return { status: 500 };
};
