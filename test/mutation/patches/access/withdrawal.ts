import type { Patch } from '../../patch.ts';

const partners = ['test/integration/store/partners.test.ts'];
const rights = ['test/infrastructure/rights.test.ts'];
const keys = ['test/unit/bin/operator/commands/keys.test.ts'];
const revocation = ['test/unit/functions/issue-token/revocation.test.ts'];

/** What was withdrawn stays so, at any interleaving. */
export const patches: readonly Patch[] = [
  {
    id: 'withdrawn-cut-goes-back',
    rule: 'TOK-6 what was revoked stays so',
    file: 'functions/shared/store/partners/store.ts',
    find: 'AND (attribute_not_exists(tokensFromMs) OR tokensFromMs < :from)`',
    put: 'AND (attribute_not_exists(tokensFromMs) OR tokensFromMs <> :from)`',
    tests: partners,
  },
  {
    id: 'withdrawn-by-machine-clock',
    rule: 'TOK-6 what is ended is ended by the clock of the service',
    file: 'bin/operator/service-clock.ts',
    find: 'new Date(machine().getTime() + aheadMs)',
    put: 'new Date(machine().getTime() + 0 * aheadMs)',
    tests: ['test/unit/bin/operator/service-clock.test.ts'],
  },
  {
    id: 'withdrawn-connect-machine-clock',
    rule: 'TOK-6 the tool counts by the clock of the service',
    file: 'bin/operator/connect.ts',
    find: '    now: clock,',
    put: '    now: systemClock,',
    tests: ['test/integration/operator/service-clock.test.ts'],
  },
  {
    id: 'withdrawn-slow-answer',
    rule: 'TOK-6 an answer that took its time is no difference between clocks',
    file: 'bin/operator/service-clock.ts',
    find: 'dateMs >= sentAtMs - 2 * toleratedMs',
    put: 'dateMs >= receivedAtMs - 2 * toleratedMs',
    tests: ['test/unit/bin/operator/service-clock.test.ts'],
  },
  {
    id: 'withdrawn-late-hash',
    rule: 'TOK-3 a hash that was made anew meanwhile stays',
    file: 'functions/shared/store/partners/notes.ts',
    find: "ConditionExpression: 'hashes.#id = :former',",
    put: "ConditionExpression: 'hashes.#id = :former OR attribute_exists(hashes.#id)',",
    tests: partners,
  },
  {
    id: 'withdrawn-rotation-over-hash',
    rule: 'TOK-3 a rotation of secrets takes no newer hash back',
    file: 'functions/shared/store/partners/store.ts',
    find: "ConditionExpression: 'hashes = :before',",
    put: "ConditionExpression: 'hashes = :before OR attribute_exists(pk)',",
    tests: partners,
  },
  {
    id: 'withdrawn-late-rotation',
    rule: 'M-10 a step that comes after another rotation brings no key back',
    file: 'functions/rotate-keys/rotation-steps.ts',
    find: "throw new Error('Another rotation came after this one');",
    put: 'deps.clock();',
    tests: ['test/unit/functions/rotate-keys/rotation-steps.test.ts'],
  },
  {
    id: 'withdrawn-by-older-ring',
    rule: 'V-01 a revocation judges by the keys of this moment',
    file: 'functions/issue-token/revocation.ts',
    find: 'await deps.verifyNow(token)',
    put: 'await (deps as never as { verify: VerifyAccessToken }).verify(token)',
    tests: revocation,
  },
  {
    id: 'withdrawn-present-ring',
    rule: 'V-01 the present ring is read each time',
    file: 'functions/shared/store/keys/ring-reader.ts',
    find: `  () =>
    publishedRing(access, kind);`,
    put: '  cached(() => publishedRing(access, kind), { forMs: 1e9, clock: () => new Date(0) });',
    tests: ['test/integration/store/key-rings.ports.test.ts'],
  },
  {
    id: 'withdrawn-pepper-once-more',
    rule: 'TOK-6 secrets hashed under a removed pepper until all know of it are ended, too',
    file: 'bin/operator/commands/keys.ts',
    find: 'of new Set([...secretsOf, ...left])',
    put: 'of new Set([...secretsOf, ...left.slice(99)])',
    tests: keys,
  },
  {
    id: 'withdrawn-denylist-writers',
    rule: 'S-66 the token service alone writes the denylist',
    file: 'lib/constructs/transactions-api.ts',
    find: ".ofRequests(tables.requests, { GetItem: ['IDEM#*', 'REVOKED#*'], PutItem: ['IDEM#*'] })",
    put: ".ofRequests(tables.requests, { GetItem: ['IDEM#*', 'REVOKED#*'], PutItem: ['IDEM#*', 'REVOKED#*'] })",
    tests: rights,
  },
  {
    id: 'withdrawn-target-is-no-failure',
    rule: 'EV-12 a target that is taken away uses up no try',
    file: 'functions/shared/store/debounce/ledger-updates.ts',
    find: "const isFailed = to === 'DEAD' && isFailure(reason);",
    put: "const isFailed = to === 'DEAD' && isFailure(undefined);",
    tests: ['test/integration/store/ledger.ports.test.ts'],
  },
  {
    id: 'withdrawn-target-bound',
    rule: 'EV-12 what finds no target is sent twenty times at most',
    file: 'functions/shared/domain/event/delivery.ts',
    find: 'return redrives < withoutTarget.mostRedrives ?',
    put: 'return redrives < Number.POSITIVE_INFINITY ?',
    tests: ['test/unit/functions/shared/domain/event/redrive.test.ts'],
  },
  {
    id: 'sweep-passes-once',
    rule: 'V1-8 what was changed in the last moment and says nothing still is removed',
    file: 'functions/shared/store/transactions/sweep.ts',
    find: 'const removalTries = 5;',
    put: 'const removalTries = 1;',
    tests: ['test/integration/write-model/writes.sweep.test.ts'],
  },
];
