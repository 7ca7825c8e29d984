/** A price of AWS in USD without taxes: `usd` for each `per` units. `usageType` finds it in AWS's price list. */
type Price = {
  readonly usd: number;
  readonly per: number;
  readonly unit: string;
  readonly usageType: string;
};

const million = 1_000_000;

/** The day on which these prices were looked up. */
export const pricedOn = '2026-11-22';

/** The region of the prices, which is also the prefix of AWS's usage types. */
export const pricedIn = 'eu-west-2';

/** First tier, without what an account has free. */
const prices = {
  apiRequests: { usd: 3.5, per: million, unit: 'requests', usageType: 'EUW2-ApiGatewayRequest' },
  lambdaRequests: { usd: 0.2, per: million, unit: 'requests', usageType: 'EUW2-Request-ARM' },
  lambdaGbSeconds: { usd: 13.3334, per: million, unit: 'GB-s', usageType: 'EUW2-Lambda-GB-Second-ARM' },
  writeUnits: { usd: 0.7423, per: million, unit: 'units', usageType: 'EUW2-WriteRequestUnits' },
  readUnits: { usd: 0.1485, per: million, unit: 'units', usageType: 'EUW2-ReadRequestUnits' },
  tableGb: { usd: 0.29715, per: 1, unit: 'GB-month', usageType: 'EUW2-TimedStorage-ByteHrs' },
  recoveryGb: { usd: 0.23772, per: 1, unit: 'GB-month', usageType: 'EUW2-TimedPITRStorage-ByteHrs' },
  queueRequests: { usd: 0.4, per: million, unit: 'requests', usageType: 'EUW2-Requests-Tier1' },
  fifoRequests: { usd: 0.5, per: million, unit: 'requests', usageType: 'EUW2-Requests-FIFO-Tier1' },
  busEvents: { usd: 1, per: million, unit: 'events', usageType: 'EUW2-Event-64K-Chunks' },
  deliveries: {
    usd: 0.2,
    per: million,
    unit: 'calls',
    usageType: 'EUW2-ApiDestination-Invocation-64K-Chunks',
  },
  logGb: { usd: 0.5985, per: 1, unit: 'GB', usageType: 'EUW2-DataProcessing-Bytes' },
  maskedGb: { usd: 0.12, per: 1, unit: 'GB', usageType: 'EUW2-DataProtection-Bytes' },
  traces: { usd: 5, per: million, unit: 'traces', usageType: 'EUW2-XRay-TracesStored' },
  alarmMetrics: { usd: 0.1, per: 1, unit: 'metric', usageType: 'EUW2-CW:AlarmMonitorUsage' },
  customMetrics: { usd: 0.3, per: 1, unit: 'metric', usageType: 'EUW2-CW:MetricMonitorUsage' },
  dashboards: { usd: 3, per: 1, unit: 'dashboard', usageType: 'DashboardsUsageHour' },
  keys: { usd: 1, per: 1, unit: 'key', usageType: 'eu-west-2-KMS-Keys' },
  keyRequests: { usd: 0.03, per: 10_000, unit: 'requests', usageType: 'eu-west-2-KMS-Requests' },
  secrets: { usd: 0.4, per: 1, unit: 'secret', usageType: 'EUW2-AWSSecretsManager-Secrets' },
  firewalls: { usd: 5, per: 1, unit: 'web ACL', usageType: 'EUW2-WebACLV2' },
  firewallRules: { usd: 1, per: 1, unit: 'rule', usageType: 'EUW2-RuleV2' },
  firewallRequests: { usd: 0.6, per: million, unit: 'requests', usageType: 'EUW2-RequestV2-Tier1' },
  outboundGb: { usd: 0.09, per: 1, unit: 'GB', usageType: 'EUW2-DataTransfer-Out-Bytes' },
} as const satisfies Record<string, Price>;

/** What is paid for. */
export type PriceName = keyof typeof prices;

/** The amounts of a month. Absent ones are 0. */
export type Usage = Partial<Record<PriceName, number>>;

/** What a usage costs, in USD. */
export const usdOf = (usage: Usage): number =>
  Object.entries(usage).reduce((sum, [name, amount]) => sum + usdOfOne(name as PriceName, amount), 0);

/** What so much of one costs, in USD. */
const usdOfOne = (name: PriceName, amount: number): number => (amount * prices[name].usd) / prices[name].per;

/** What an account has free every month, without an end. */
const free: Usage = {
  ...{ lambdaRequests: million, lambdaGbSeconds: 400_000, tableGb: 25, queueRequests: million },
  ...{ logGb: 5, traces: 100_000, alarmMetrics: 10, customMetrics: 10, dashboards: 3 },
  ...{ keyRequests: 20_000, outboundGb: 100 },
};

/** The same usage, less what an account has free. */
export const beyondFree = (usage: Usage): Usage =>
  Object.fromEntries(
    Object.entries(usage).map(([name, amount]) => [
      name,
      Math.max(0, amount - (free[name as PriceName] ?? 0)),
    ]),
  );
