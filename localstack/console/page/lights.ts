import type { Cause, Happening } from '../../feed/happening.ts';

/** A box, by its id, or an arrow, by its ends, that lights up. */
export type Light = { place: string; mood?: 'bad' } | { from: string; to: string; mood?: 'bad' };

/** Functions with an arrow to the bus. An accepted event does not name its sender, so senders at work light up. */
const senders = ['publish-dormant', 'v2-write'];

/** The lights for a happening; `working` are the functions that were called and have not returned. */
export const lightsOf = (happening: Happening, working: readonly string[]): Light[] => {
  switch (happening.kind) {
    case 'called':
      return [...wayTo(happening.function, happening.cause.by), { place: happening.function }];
    case 'returned':
      return isFailed(happening) ? [{ place: happening.function, mood: 'bad' }] : [];
    case 'accepted': {
      const sending = working.filter((name) => senders.includes(name));
      return [...sending.map((from) => ({ from, to: 'bus' })), { place: 'bus' }];
    }
    case 'attempted': {
      const isDelivered = happening.verdict === 'delivered';
      const mood = isDelivered ? {} : { mood: 'bad' as const };
      const dead = { from: 'bus', to: 'collect-dead-letters', ...mood };
      return [
        { from: 'bus', to: 'endpoints', ...mood },
        { place: 'endpoints', ...mood },
        ...(happening.verdict === 'dead' ? [dead] : []),
      ];
    }
    default:
      return [];
  }
};

const wayTo = (name: string, by: Cause['by']): Light[] => {
  if (by === 'request')
    return [
      { place: 'callers' },
      { from: 'callers', to: 'gateway' },
      { place: 'gateway' },
      { from: 'gateway', to: name },
    ];
  if (by === 'stream') return [{ place: 'transactions' }, { from: 'transactions', to: name }];
  return [];
};

const isFailed = ({ failed, status = 200 }: { failed?: string; status?: number }) =>
  failed !== undefined || status >= 500;
