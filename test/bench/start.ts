import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { bundleInto, type FunctionName } from '../../lib/constructs/bundle.ts';
import { httpEvent } from '../support/builders/http-event.ts';
import { startPlace } from '../support/engine/start-place.ts';
import { judged, print } from './print.ts';
import { median } from './times.ts';

const goals = { kilobytes: 295, ratio: 5.0 };
const rounds = 21;
const names: FunctionName[] = [
  'v2-partner',
  'v2-read',
  'v2-write',
  'v1-transaction',
  'issue-token',
  'rotate-keys',
  'sweep-expired',
];
/** Modules that look for credentials outside the environment: files, single sign-on, instance metadata, web identity. */
const credentialChain = /credential-provider-(?!env)|\/credential-provider-imds|token-providers/;

type FirstAnswer = { startedMs: number; answeredMs: number; statusCode: number; loadsUndici: boolean };
type Case = { title: string; bundle: string; event: string; answers: FirstAnswer[] };

const bench = async (folder: string): Promise<void> => {
  printSizes(folder);
  const place = await startPlace();
  try {
    const cases = casesIn(folder, await place.signToken());
    // Rounds go through all cases, so that other load meets every case alike; the first one warms the disk cache.
    for (let round = 0; round <= rounds; round += 1) {
      for (const one of cases) {
        const answer = firstAnswer(one, place.environment);
        if (round > 0) one.answers.push(answer);
      }
    }
    printStarts(cases);
  } finally {
    await place.stop();
  }
};

const printSizes = (folder: string): void => {
  const rows = names.map((name) => {
    const { metafile } = bundleInto(join(folder, name), name);
    const bytes = Object.values(metafile.outputs).reduce((sum, output) => sum + output.bytes, 0);
    const chained = Object.keys(metafile.inputs).filter((input) => credentialChain.test(input));
    const goal = name === 'v2-read' ? judged(bytes / 1000 <= goals.kilobytes, `≤ ${goals.kilobytes}`) : '';
    return [name, (bytes / 1000).toFixed(1), goal, chained.join('\n') || 'none'];
  });
  print(['function', 'minified kB', 'goal', 'credential chain'], rows);
};

const casesIn = (folder: string, token: string): Case[] => {
  const empty = join(folder, 'empty.cjs');
  writeFileSync(empty, "exports.handler = async () => ({ statusCode: 200, body: '' });\n");
  const list = join(folder, 'v2-read', 'index.cjs');
  const write = join(folder, 'v2-write', 'index.cjs');
  const target = '/api/v2/transaction';
  const withToken = { headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' } };
  return [
    { title: 'empty handler', bundle: empty, event: httpEvent(target) },
    { title: 'list, no token (401)', bundle: list, event: httpEvent(target) },
    {
      title: 'list, token (200: key, partner, empty page from the engine)',
      bundle: list,
      event: httpEvent(target, withToken),
    },
    {
      title: 'payment, token (404: key, partner, no such transaction)',
      bundle: write,
      event: httpEvent('/api/v2/payment', { ...withToken, method: 'POST', body: paymentOfNothing }),
    },
  ].map(({ event, ...one }) => ({ ...one, event: JSON.stringify(event), answers: [] }));
};

const paymentOfNothing = JSON.stringify({
  transaction: '00000000-0000-4000-8000-000000000000-0000',
  type: 1,
  value: '1.00',
  status: 1,
});

const firstAnswer = ({ bundle, event }: Case, environment: Record<string, string>): FirstAnswer => {
  const program = join(import.meta.dirname, 'first-answer.mjs');
  return JSON.parse(
    execFileSync(process.execPath, [program, bundle, event], { env: environment, encoding: 'utf8' }),
  );
};

const printStarts = (cases: readonly Case[]): void => {
  const medianMs = ({ answers }: Case) => median(answers.map(({ answeredMs }) => answeredMs));
  const [empty = Number.NaN] = cases.map(medianMs);
  const rows = cases.map((one) => {
    const ratio = medianMs(one) / empty;
    const goal = one.bundle.includes('v2-read') ? judged(ratio <= goals.ratio, `≤ ${goals.ratio}`) : '';
    const request = median(one.answers.map(({ startedMs, answeredMs }) => answeredMs - startedMs));
    return [
      ...[one.title, one.answers[0]?.statusCode ?? 0, medianMs(one).toFixed(1), request.toFixed(1)],
      ...[ratio.toFixed(2), goal],
      one.answers.some(({ loadsUndici }) => loadsUndici) ? 'loaded' : 'not loaded',
    ];
  });
  print(
    [
      ...['process start to first answer', 'status', 'ms (median)', 'of it the request', 'ratio', 'goal'],
      'undici',
    ],
    rows,
  );
  console.log(`Medians of ${rounds} processes each, node ${process.version}, ${process.arch}.\n`);
};

new Command('bench -- start')
  .description(
    `Prints what the bundles weigh, and how long ${rounds} new processes take to their first answer, over an empty handler. Goals stand beside.`,
  )
  .parse();

const folder = mkdtempSync(join(tmpdir(), 'bench-start-'));
try {
  await bench(folder);
} finally {
  rmSync(folder, { recursive: true });
}
