import type { Patch } from '../../patch.ts';

const tests = ['test/unit/bin/operator/partners/quotas.test.ts'];
const webhooks = 'bin/operator/partners/webhooks.ts';
const ensure = 'functions/shared/outbound/endpoint/ensure.ts';
const create = 'bin/operator/commands/partner-lifecycle.ts';

/** What becomes of a partner for whom the account has no room. */
export const patches: readonly Patch[] = [
  {
    ...{ id: 'quota-taken-back', rule: 'EV-22 a new endpoint is taken back', file: webhooks, tests },
    find: '    if (before.webhookUrl === undefined) await deps.endpoints.remove(before.clientId);\n',
    put: '',
  },
  {
    ...{ id: 'quota-no-partner', rule: 'EV-22 no partner is made', file: create, tests },
    find: '    await deps.partners.remove(issued.clientId);\n',
    put: '',
  },
  {
    ...{ id: 'quota-of-rules', rule: 'EV-22 the quota is named', file: ensure, tests },
    find: "withinQuota('rules-quota'",
    put: "withinQuota('connections-quota'",
  },
  {
    ...{
      id: 'quota-of-others',
      rule: 'EV-22 other commands name it, too',
      file: 'bin/operator/program.ts',
      tests,
    },
    find: '  if (error instanceof QuotaReached) return quotaSentence(error.quota);\n',
    put: '',
  },
];
