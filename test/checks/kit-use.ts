import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { run, start } from '../deploy/processes.ts';
import type { Report } from '../deploy/report.ts';
import { freePortPair } from '../support/stage/free-port-pair.ts';
import type { TestStage } from '../support/stage/stage.ts';
import { inPlace, project } from './place.ts';

/** An installed package, and the stage that it is used with. */
export type Place = { folder: string; stage: TestStage };

/** Proves that each command and each program of a partner works with the installed package (KIT-17, KIT-19). */
export const proveUse = async (place: Place, report: Report): Promise<void> => {
  const use = usesOf(place);
  await report.prove('KIT-17 whoami, list and get show what a partner sees', () => proveReading(use));
  await report.prove('KIT-17 events shows what was sent, and has it sent again', () => proveEvents(use));
  await report.prove('KIT-17 listen prints what trigger sends', () => proveListening(use));
  for (const file of ['node-receiver.mjs', 'express-receiver.mjs'])
    await report.prove(`KIT-17 attack passes ${file}, which verifies with the package`, () =>
      proveReceiver(use, file),
    );
  await report.prove('KIT-19 the quick start of the README runs against a stage', () => proveQuickStart(use));
  await report.prove('KIT-19 the errors and the fetch-style receiver of the README run', () =>
    proveReadme(use),
  );
  await report.prove('KIT-19 the Express receiver of the README runs', () => proveReadmeExpress(use));
};

const usesOf = ({ folder, stage }: Place) => {
  const [partner] = stage.stack.partners;
  if (!partner) throw new Error('The stage has no demo partner.');
  const signed = { TRANSACTIONS_WEBHOOK_SIGNATURE: partner.webhookSignature };
  const env = {
    ...project.env,
    ...signed,
    TRANSACTIONS_STACK: join(stage.dataDir, 'stack.json'),
    TRANSACTIONS_BASE_URL: stage.baseUrl,
    TRANSACTIONS_AUTH_URL: stage.authUrl,
    TRANSACTIONS_CLIENT_ID: partner.clientId,
    TRANSACTIONS_CLIENT_SECRET: partner.clientSecret,
    TRANSACTIONS_WEBHOOK_SOURCE: 'svc.local.online-payments',
    NO_COLOR: '1',
  };
  const asked = (command: string, args: string[], logFile: string) => ({
    ...{ command, args, env, logFile: inPlace(logFile) },
    // Shorter than the time limit of an attempt.
    timeoutSeconds: 25,
  });
  const command = join(folder, 'node_modules/.bin/transactions-partner');
  return {
    partner,
    partnerSays: (...args: string[]) => run(asked(command, args, 'kit-command.log')),
    programSays: (file: string) => run(asked('node', [join(folder, file)], 'kit-program.log')),
    /** A command that runs until it is stopped. Its log has its output. */
    whileUp: async <Value>(
      { words, more = {}, ready }: { words: string[]; more?: Record<string, string>; ready: RegExp },
      work: (url: string, said: () => string) => Promise<Value>,
    ): Promise<Value> => {
      const [name = '', ...args] = words;
      const isCommand = name === 'transactions-partner';
      const started = isCommand
        ? asked(command, args, 'kit-up.log')
        : asked('node', [join(folder, name)], 'kit-up.log');
      const child = start({ ...started, env: { ...env, ...more } });
      const said = () => readFileSync(started.logFile, 'utf8');
      try {
        return await work(await shown(said, ready), said);
      } finally {
        child.kill('SIGINT');
      }
    },
  };
};
type Use = ReturnType<typeof usesOf>;

/** Waits until something was printed, for as long as a busy machine needs. */
const shown = async (said: () => string, wanted: RegExp): Promise<string> => {
  for (let tries = 0; tries < 600; tries += 1) {
    const [found] = wanted.exec(said()) ?? [];
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error(`Nothing like ${wanted} was printed: ${said()}`);
};

const address = /http:\/\/127\.0\.0\.1:\d+\S*/;

const expect = (what: string, seen: unknown, wanted: unknown) => {
  if (!isDeepStrictEqual(seen, wanted))
    throw new Error(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(wanted)}`);
};

const proveReading = async ({ partnerSays, partner }: Use) => {
  expect('whoami', JSON.parse(await partnerSays('whoami', '--json')).name, partner.name);
  const { data } = JSON.parse(await partnerSays('list', '--per-page', '3', '--json'));
  expect('list', data.length, 3);
  const one = JSON.parse(await partnerSays('get', data[0].uuid, '--fields', 'uuid', '--json'));
  expect('get', one, { uuid: data[0].uuid });
  // The same by the file of a running stage, and by no variable.
  if (!(await partnerSays('whoami', '--local')).includes(partner.name))
    throw new Error('--local shows another.');
};

const proveEvents = async ({ partnerSays, programSays }: Use) => {
  const id = (await programSays('payment.mjs')).trim();
  const { data } = JSON.parse(
    await partnerSays('events', 'list', '--type', 'TransactionCompleted', '--json'),
  );
  expect('events list', data[0].id, id);
  expect(
    'events replay',
    JSON.parse(await partnerSays('events', 'replay', '--failed', '--json')).since,
    null,
  );
};

const proveListening = async ({ partnerSays, whileUp }: Use) =>
  whileUp({ words: ['transactions-partner', 'listen', '--port', '0'], ready: address }, async (url, said) => {
    for (const type of ['TransactionUpdated', 'TransactionCompleted', 'WebhookTest'])
      await partnerSays('trigger', type, url);
    await shown(
      said,
      /TransactionUpdated .* 0 → 1 .* applied\n(.*\n)*.*TransactionCompleted .* applied\n(.*\n)*.*WebhookTest .* passed by/,
    );
  });

/** Without its state some rules are unseen. */
const proveReceiver = ({ partnerSays, whileUp }: Use, file: string) =>
  whileUp({ words: [file], ready: address }, async (url) => {
    const { results } = JSON.parse(await partnerSays('attack', url, '--json'));
    const broken = results.filter(
      ({ verdict }: { verdict: string }) => !['kept', 'unseen'].includes(verdict),
    );
    expect('attack', broken, []);
  });

const proveQuickStart = async ({ partnerSays, programSays }: Use) => {
  const { data } = JSON.parse(
    await partnerSays('list', '--status', '1', '--all', '--fields', 'uuid', '--json'),
  );
  const printed = (await programSays('quick-start.mts')).trim().split('\n');
  expect(
    'quick start',
    printed.map((line) => line.split(' ')[0]),
    data.map(({ uuid }: { uuid: string }) => uuid),
  );
};

const proveReadme = async ({ programSays }: Use) => {
  const printed = (await programSays('readme.mjs')).trim().split('\n').at(-1) ?? '';
  expect('the README', JSON.parse(printed), {
    ...{ unknown: 'none', title: 'string', statuses: [204, 204, 401] },
    ...{ applied: 'Dr', isReadBack: true, isForged: false },
    verified: [204, 401],
  });
};

const proveReadmeExpress = async ({ partnerSays, whileUp }: Use) => {
  const PORT = String(await freePortPair());
  const url = `http://127.0.0.1:${PORT}/webhook`;
  const source = ['--source', 'svc.production.online-payments'];
  await whileUp(
    { words: ['a-receiver-of-webhooks-3.mts'], more: { PORT }, ready: /^/ },
    async (_nothing, said) => {
      await answering(url);
      await partnerSays('trigger', 'TransactionUpdated', url, ...source);
      await shown(said, /^update \S+/m);
    },
  );
};

/** It says nothing when it listens. */
const answering = async (url: string, tries = 100): Promise<unknown> =>
  fetch(url).catch(async (fault) => {
    if (tries === 0) throw fault;
    await new Promise((resolve) => setTimeout(resolve, 100));
    return answering(url, tries - 1);
  });
