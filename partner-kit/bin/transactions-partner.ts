#!/usr/bin/env node
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { sleep } from '../src/client/settings.ts';
import { runPartner } from '../src/command/program.ts';

/** A reader such as `head` may close the pipe early: that is not an error. */
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  process.exit();
});

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

process.exitCode = await runPartner(process.argv.slice(2), {
  env: process.env,
  folder: process.cwd(),
  terminal: {
    print: (text) => process.stdout.write(text),
    note: (text) => process.stderr.write(text),
  },
  now: () => new Date(),
  nowMs: () => performance.now(),
  newId: randomUUID,
  randomText: (length) => [...randomBytes(length)].map((byte) => alphabet[byte % alphabet.length]).join(''),
  pause: sleep,
  fetch,
  untilStopped: () => Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]),
});
