/** Quotas of an account, one for each kind of resource of a partner. */
export type EndpointQuota = 'connections-quota' | 'destinations-quota' | 'rules-quota';

/** EventBridge creates no more of this kind until the account's quota is raised. */
export class QuotaReached extends Error {
  readonly quota: EndpointQuota;

  constructor(quota: EndpointQuota, options: ErrorOptions) {
    super(`The account has reached its ${quota.replace('-', ' ')}`, options);
    this.name = 'QuotaReached';
    this.quota = quota;
  }
}

/** Names the quota of a LimitExceededException, because EventBridge uses one error for all. */
export const withinQuota = async (quota: EndpointQuota, sent: Promise<unknown>): Promise<void> => {
  try {
    await sent;
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'LimitExceededException')
      throw new QuotaReached(quota, { cause });
    throw cause;
  }
};
