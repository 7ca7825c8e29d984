import { measuredFlush } from '../capacity/measured-flush.ts';
import { modelled } from '../contention/modelled.ts';
import { callsOf, eventsOf, type MonthFacts, writesOf } from './month.ts';
import { pricedIn } from './prices.ts';
import { busiest, checkout, groups, month } from './workload.ts';

/** A limit of AWS, or of the service, that grows with the transactions of a month. */
export type Quota = {
  name: string;
  /** A second, where the name says nothing else. */
  limit: number;
  /** The use of the quota in the busiest second of a month with this many transactions. */
  need: (transactions: number) => number;
  /** What to raise or change when it is reached. */
  raise: string;
};

/** The quotas that a growing stage meets, as a new account has them in `pricedIn`. */
export const quotasOf = ({ measured }: MonthFacts): Quota[] => {
  const inBusiestSecond = (amount: number) => (amount * busiest) / month.seconds;
  const calls = (transactions: number) => callsOf(transactions);
  return [
    {
      name: 'Lambda: concurrent executions of a new account',
      limit: 10,
      need: (transactions) => inBusiestSecond(calls(transactions).milliseconds / 1000),
      raise: 'request 1,000 (`npm run preflight` reminds you before the first deployment)',
    },
    {
      name: 'Lambda: concurrent executions',
      limit: 1_000,
      need: (transactions) => inBusiestSecond(calls(transactions).milliseconds / 1000),
      raise: 'raise it in Service Quotas',
    },
    {
      name: 'Listing: writes to the counters of one group',
      limit: modelled.groupCarries,
      need: (transactions) => inBusiestSecond((transactions * (1 + checkout.paidOfTen / 10)) / groups),
      raise: '`shards` in `functions/shared/store/listing/settings.ts` ([listing.md](listing.md))',
    },
    {
      name: 'publish-dormant: events that its workers publish',
      limit: measuredFlush.allWorkers,
      need: (transactions) => inBusiestSecond(eventsOf(transactions).events),
      raise: '`flushWorkers` in `lib/config.ts` ([capacity.md](capacity.md))',
    },
    {
      name: `EventBridge: PutEvents in ${pricedIn}`,
      limit: 1_200,
      need: (transactions) => inBusiestSecond(eventsOf(transactions).deliveries),
      raise: 'raise it in Service Quotas; a request has up to ten entries',
    },
    {
      name: 'EventBridge: calls of one API destination',
      limit: 300,
      need: (transactions) => inBusiestSecond(eventsOf(transactions).events),
      raise: 'raise it in Service Quotas, and `InvocationRateLimitPerSecond` of the destination',
    },
    {
      name: 'API Gateway: throttle of a method',
      limit: 1_000,
      need: (transactions) => inBusiestSecond(transactions * checkout.saves),
      raise: '`throttle` in `lib/config.ts`',
    },
    {
      name: 'API Gateway: requests of an account',
      limit: 10_000,
      need: (transactions) => inBusiestSecond(calls(transactions).all),
      raise: 'raise it in Service Quotas',
    },
    {
      name: 'DynamoDB: write units of a table',
      limit: 40_000,
      need: (transactions) => inBusiestSecond(writesOf(measured, transactions)),
      raise: 'raise it in Service Quotas',
    },
    {
      name: 'DynamoDB: write units of the sequence, one item',
      limit: 1_000,
      need: (transactions) => inBusiestSecond(transactions),
      raise: 'reserve sequence numbers in blocks, as an import does',
    },
  ];
};
