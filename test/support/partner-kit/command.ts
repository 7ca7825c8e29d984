import type { PartnerDeps } from '../../../partner-kit/src/command/context.ts';
import { runPartner } from '../../../partner-kit/src/command/program.ts';
import { randomFrom } from '../builders/random.ts';

/** A partner's settings in variables. */
export const partnerEnv = {
  TRANSACTIONS_BASE_URL: 'http://127.0.0.1:1',
  TRANSACTIONS_AUTH_URL: 'http://127.0.0.1:1',
  TRANSACTIONS_CLIENT_ID: 'acme',
  TRANSACTIONS_CLIENT_SECRET: 'client-secret',
};

/** What every run of a test repeats: time, ids and random text, without pauses. */
export const repeatable = () => {
  const random = randomFrom(11);
  let ids = 0;
  return {
    now: () => new Date('2026-11-22T12:00:00Z'),
    newId: () => {
      ids += 1;
      return `00000000-0000-4000-8000-${String(ids).padStart(12, '0')}`;
    },
    randomText: (length: number) => Array.from({ length }, () => random.integer(0, 35).toString(36)).join(''),
    pause: () => new Promise<void>(setImmediate),
  };
};

/** One run of the partner's command: what it printed, what it noted, and how it ended. */
export const runCommand = async (args: readonly string[], more: Partial<PartnerDeps> = {}) => {
  const said = { printed: '', noted: '' };
  const exitCode = await runPartner(args, {
    env: {},
    folder: '/nowhere',
    terminal: {
      print: (text) => {
        said.printed += text;
      },
      note: (text) => {
        said.noted += text;
      },
    },
    ...repeatable(),
    nowMs: () => 0,
    untilStopped: () => Promise.resolve(),
    fetch: () => Promise.reject(new Error('no network in this test')),
    ...more,
  });
  return { exitCode, ...said };
};
