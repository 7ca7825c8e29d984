/** What an account has so many of: one of each for a partner with a webhook. */
export type EndpointQuota = 'connections-quota' | 'destinations-quota' | 'rules-quota';

/** EventBridge makes no more of them until the account's quota is raised. */
export class QuotaReached extends Error {
  readonly quota: EndpointQuota;

  constructor(quota: EndpointQuota, options: ErrorOptions) {
    super(`The account has reached its ${quota.replace('-', ' ')}`, options);
    this.name = 'QuotaReached';
    this.quota = quota;
  }
}

/** Says which quota it was that a request ran into: EventBridge calls each of them LimitExceededException. */
export const withinQuota = async (quota: EndpointQuota, sent: Promise<unknown>): Promise<void> => {
  try {
    await sent;
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'LimitExceededException')
      throw new QuotaReached(quota, { cause });
    throw cause;
  }
};
