import type { Cause, Happening } from '../../feed/happening.ts';

/** A box, by its id, or an arrow, by its ends, that lights up. */
export type Light = { place: string; mood?: 'bad' } | { from: string; to: string; mood?: 'bad' };

/** The lights for a happening. */
export const lightsOf = (happening: Happening): Light[] => {
  switch (happening.kind) {
    case 'called':
      return [...wayTo(happening.function, happening.cause.by), { place: happening.function }];
    case 'returned':
      return isFailed(happening) ? [{ place: happening.function, mood: 'bad' }] : [];
    case 'accepted':
      return [{ from: 'publish-dormant', to: 'bus' }, { place: 'bus' }];
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
