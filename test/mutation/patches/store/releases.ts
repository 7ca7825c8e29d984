import type { Patch } from '../../patch.ts';

const tests = ['test/integration/releases/items.test.ts'];

/** What a release stored under another key or name than the one before would lose. */
export const patches: readonly Patch[] = [
  {
    id: 'release-signature-key',
    rule: 'D-10 the signatures of an earlier release are found',
    file: 'functions/shared/store/partners/keys.ts',
    find: "sk: 'SIGNATURE'",
    put: "sk: 'SIGNATURES'",
    tests,
  },
  {
    id: 'release-attribute',
    rule: 'D-10 the attributes of an earlier release are found',
    replacements: [
      {
        file: 'functions/shared/store/transactions/item.ts',
        find: 'quietVersion: silentUpToVersion,',
        put: 'silentUpToVersion,',
      },
    ],
    tests,
  },
  {
    id: 'release-idempotency',
    rule: 'D-10 the answers that an earlier release kept are found',
    file: 'functions/shared/store/requests/requests.ts',
    find: '`IDEM#',
    put: '`KEY#',
    tests,
  },
];
