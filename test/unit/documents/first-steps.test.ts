import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { stepsOf } from '../../guide/guide.ts';
import { root } from '../../support/repository.ts';

const start = stepsOf(readFileSync(join(root, 'docs/guide/start.md'), 'utf8'));
const payment = start.filter(({ command }) => command.includes('/api/v2/payment'));

/** What a reader's shell asks for, with a `curl` that only says what it was given. */
const askedBy = (command: string, baseUrl: string) =>
  spawnSync('bash', ['-c', `curl() { echo "$2"; }\nBASE_URL=${baseUrl} TOKEN=t UUID=u\n${command}`], {
    encoding: 'utf8',
  });

test('DOC-8 the payment of the first ten minutes is made only on the reader’s own machine', () => {
  expect(payment.map(({ isOperators }) => isOperators)).toEqual([true]);
  for (const { command } of payment) {
    expect(askedBy(command, 'http://127.0.0.1:3000').stdout).toBe('http://127.0.0.1:3000/api/v2/payment\n');
    expect(askedBy(command, 'https://api.transactions.example').stdout).toBe('');
  }
});

test('DOC-8 all other commands change only the reader’s webhook, and replay only its own events', () => {
  const changes = start.filter(({ command }) => /-X|\s-d [^']|-d '{|--data/.test(command));

  expect(changes.map(({ command }) => /\$\w+_URL(\/[\w/$-]+)/.exec(command)?.[1])).toEqual([
    '/oauth2/token',
    '/api/v2/webhook/test',
    '/api/v2/payment',
    '/api/v2/event/replay',
    '/api/v2/webhook',
    '/api/v2/webhook',
  ]);
});
