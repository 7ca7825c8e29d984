import type { PartnerDeps } from '../../../partner-kit/src/command/context.ts';
import { runPartner } from '../../../partner-kit/src/command/program.ts';
import { randomFrom } from '../builders/random.ts';

/** One run of the partner's command: what it printed, what it noted, and how it ended. */
export const runCommand = async (args: readonly string[], more: Partial<PartnerDeps> = {}) => {
  const said = { printed: '', noted: '' };
  const random = randomFrom(11);
  const ids = { given: 0 };
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
    now: () => new Date('2026-11-22T12:00:00Z'),
    nowMs: () => 0,
    newId: () => {
      ids.given += 1;
      return `00000000-0000-4000-8000-${String(ids.given).padStart(12, '0')}`;
    },
    randomText: (length) => Array.from({ length }, () => random.integer(0, 35).toString(36)).join(''),
    pause: () => new Promise(setImmediate),
    untilStopped: () => Promise.resolve(),
    fetch: () => Promise.reject(new Error('no network in this test')),
    ...more,
  });
  return { exitCode, ...said };
};
