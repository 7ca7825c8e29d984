/** Requests and events of one transaction, from the first page of the checkout to the last webhook: an assumption. */
export const checkout = {
  /** By the checkout page. */
  v1Reads: 8,
  saves: 12,
  /** How many of ten transactions are paid. */
  paidOfTen: 4,
  /** By partners. */
  v2Reads: 6,
  v2Lists: 4,
  v2Writes: 2,
  /** Rests of two minutes, each with one event, and how many partners are notified of each. */
  rests: 3,
  recipients: 2,
} as const;

/** Milliseconds that a function is paid for: processor time as measured here, and 5 ms for each wait for DynamoDB. */
export const milliseconds = {
  v1Read: 15,
  write: 35,
  v2Read: 20,
  list: 40,
  token: 20,
  recordChange: 15,
  /** One poll that finds nothing: its reads wait together. */
  poll: 25,
  /** One event for all of its recipients. */
  event: 60,
  schedule: 30,
} as const;

/** Bytes of one request: what it leaves in logs, and what goes out to callers. */
export const bytes = { log: 1_100, pollLog: 500, answer: 2_500, list: 12_000, message: 3_000 } as const;

/** Partners of the stage; each needs a token an hour. */
export const partners = 10;

/** The busiest second of a month, against a second of its mean: shops sleep at night, and a campaign wakes them. */
export const busiest = 8;

/** Months of transactions that a stage keeps beside the current one. */
export const monthsKept = 12;

/** A month of 30 days. */
export const month = { seconds: 2_592_000, minutes: 43_200, hours: 720, days: 30 } as const;
