import type { Patch } from '../../patch.ts';

const lives = 'test/unit/functions/shared/publish/deletion.test.ts';
const cursors = 'test/unit/functions/shared/domain/event/cursor.test.ts';

export const patches: readonly Patch[] = [
  {
    id: 'deletion-without-elements',
    rule: 'EV-11 the event of a deletion has no element',
    file: 'functions/shared/domain/event/event.ts',
    find: 'transaction.isDeleted === 1 ? [] :',
    put: 'transaction.isDeleted === undefined ? [] :',
    tests: [lives],
  },
  {
    id: 'deletion-is-said',
    rule: 'EV-11 the event of a deletion says isDeleted 1',
    file: 'functions/shared/domain/event/message.ts',
    find: "type === 'TransactionUpdated' && isDeleted === 1",
    put: "type === 'TransactionUpdated' && isDeleted === undefined",
    tests: [lives],
  },
  {
    id: 'deletion-of-the-unheard',
    rule: 'EV-11 what was created and deleted before anything was told is told to nobody',
    file: 'functions/shared/domain/event/cursor.ts',
    find: "return isNeverTold(cursor, stored) ? { step: 'pass-over', version: range.to } : { step: 'claim', range };",
    put: "return !isNeverTold(cursor, stored) || true ? { step: 'claim', range } : { step: 'unschedule' };",
    tests: [cursors, lives],
  },
  {
    id: 'deletion-history-stays-untold',
    rule: 'EV-11 passing over writes up to which version, so that its history is not told later',
    file: 'functions/shared/publish/load-due.ts',
    find: 'await cursors.passOver(cursor, cursor, decision.version);',
    put: 'await cursors.unschedule(cursor, cursor);',
    tests: [lives],
  },
  {
    id: 'deletion-of-imports',
    rule: 'EV-11 DEL-1 the deletion of an imported transaction is told',
    file: 'functions/shared/domain/event/cursor.ts',
    find: '  session !== undefined &&',
    put: '  session !== null &&',
    tests: [cursors, lives],
  },
  {
    id: 'deletion-after-completion',
    rule: 'EV-11 the deletion of a completed transaction is told',
    file: 'functions/shared/domain/event/cursor.ts',
    find: '  transaction.status === 0 &&',
    put: '  transaction.status >= 0 &&',
    tests: [cursors, lives],
  },
  {
    id: 'deletion-restored-whole',
    rule: 'EV-11 a restored transaction is told whole',
    file: 'bin/operator/import/restore.ts',
    find: "at > 0 || part === 'own' ? version : 0",
    put: "part === 'own' ? version : at",
    tests: [lives],
  },
  {
    id: 'deletion-in-coalesced',
    rule: 'EV-11 what stands for several events says a deletion, and no element',
    file: 'functions/shared/replay/coalesce.ts',
    find: 'plain.message.detail.isDeleted !== 1 &&',
    put: 'plain.message.detail.isDeleted !== 2 &&',
    tests: ['test/unit/functions/shared/replay/coalesce.test.ts'],
  },
];
