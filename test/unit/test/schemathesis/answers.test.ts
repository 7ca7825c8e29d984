import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { answersIn, onlyRefused } from '../../../schemathesis/answers.ts';

test('OA-6 an operation that was only ever refused is named, and one that was taken once is not', () => {
  const folder = mkdtempSync(join(tmpdir(), 'answers-'));
  const file = join(folder, 'all.har');
  const entryOf = (method: string, path: string, status: number) => ({
    request: { method, url: `http://127.0.0.1:8787${path}` },
    response: { status },
  });
  const entries = [
    entryOf('PUT', '/api/v2/webhook', 403),
    entryOf('GET', '/api/v2/webhook', 401),
    entryOf('GET', '/api/v2/webhook', 200),
    entryOf('TRACE', '/api/v2/webhook', 405),
  ];
  writeFileSync(file, JSON.stringify({ log: { entries } }));

  const answers = answersIn(file);
  rmSync(folder, { recursive: true });

  expect(Object.fromEntries(answers.get('getWebhook') ?? [])).toEqual({ 200: 1, 401: 1 });
  expect(onlyRefused(answers)).toContain('setWebhook');
  expect(onlyRefused(answers)).not.toContain('getWebhook');
});
