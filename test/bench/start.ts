import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bundleInto } from '../../lib/constructs/bundle.ts';
import { httpEvent } from '../support/builders/http-event.ts';
import { startPlace } from '../support/engine/start-place.ts';
import { judged, median, print } from './measuring.ts';

const goal = 5.0;
const rounds = 21;

type FirstAnswer = { startedMs: number; answeredMs: number; statusCode: number };

const program = join(import.meta.dirname, 'first-answer.mjs');

/** An empty handler and a list with a token: key ring, partner, and an empty page from the engine. */
const bench = async (folder: string, { signToken, environment }: Awaited<ReturnType<typeof startPlace>>) => {
  bundleInto(join(folder, 'v2-read'), 'v2-read');
  const empty = join(folder, 'empty.cjs');
  writeFileSync(empty, "exports.handler = async () => ({ statusCode: 200, body: '' });\n");
  const headers = { Authorization: `Bearer ${await signToken()}`, 'Content-Type': 'application/json' };
  const event = JSON.stringify(httpEvent('/api/v2/transaction', { headers }));
  const cases = [
    { title: 'empty handler', bundle: empty, answers: [] as FirstAnswer[] },
    { title: 'list', bundle: join(folder, 'v2-read/index.cjs'), answers: [] as FirstAnswer[] },
  ];
  // In turns, so that other load meets both alike; the first round warms the disk cache.
  for (let round = 0; round <= rounds; round += 1)
    for (const { bundle, answers } of cases) {
      const options = { env: environment, encoding: 'utf8' } as const;
      const answer = JSON.parse(execFileSync(process.execPath, [program, bundle, event], options));
      if (round > 0) answers.push(answer);
    }
  const medians = cases.map(({ answers }) => median(answers.map(({ answeredMs }) => answeredMs)));
  const [least = Number.NaN, ofList = Number.NaN] = medians;
  print(
    ['process start to first answer', 'status', 'ms (median)', 'of it the request', 'ratio'],
    cases.map(({ title, answers }, index) => {
      const ms = medians[index] ?? Number.NaN;
      const request = median(answers.map(({ startedMs, answeredMs }) => answeredMs - startedMs));
      return [
        ...[title, answers[0]?.statusCode ?? 0, ms.toFixed(1), request.toFixed(1)],
        (ms / least).toFixed(2),
      ];
    }),
  );
  console.log(judged(ofList / least <= goal, `A ratio of ≤ ${goal}`));
};

export const run = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
  const place = await startPlace();
  try {
    await bench(folder, place);
  } finally {
    await place.stop();
    rmSync(folder, { recursive: true });
  }
};
