import type { IncomingMessage } from 'node:http';

/** The chosen condition of a partner's receiver: healthy, or broken as real receivers are. */
export const conditions = ['healthy', 'answers 500', 'answers 401', 'does not answer'] as const;
export type Condition = (typeof conditions)[number];

/** The condition of each partner's receiver. After a start of the stage all are healthy. */
export const createConditions = () => {
  const chosen = new Map<string, Condition>();
  return {
    of: (partner: string): Condition => chosen.get(partner) ?? 'healthy',
    choose: (partner: string, condition: Condition) => void chosen.set(partner, condition),
  };
};
export type Conditions = ReturnType<typeof createConditions>;

/** The status of a broken receiver. One that does not answer waits until the sender closes the connection. */
export const brokenStatus = async (
  request: IncomingMessage,
  condition: Exclude<Condition, 'healthy'>,
): Promise<number> => {
  request.resume();
  if (condition === 'does not answer') await new Promise((resolve) => request.socket.once('close', resolve));
  return condition === 'answers 401' ? 401 : 500;
};
