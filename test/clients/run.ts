import { setTimeout as pause } from 'node:timers/promises';
import Table from 'cli-table3';
import { rotationTimes } from '../../functions/shared/auth/key-times.ts';
import type { KeyKind } from '../../functions/shared/domain/keys/key-ring.ts';
import { ringKeptMs } from '../../functions/shared/store/keys/ring-reader.ts';
import { Halted, Report } from '../deploy/report.ts';
import { aBrowserOn } from '../support/stage/buyer-client.ts';
import type { Credentials } from '../support/stage/partner-client.ts';
import type { ForeignClient, Service } from './foreign-client.ts';
import { withOauth4webapi, withOpenidClient } from './node-clients.ts';
import { pythonWithClients, withCurl, withPython } from './other-programs.ts';
import { openPlace, type Place, shop } from './place.ts';
import { earlyToken, emptyTally, kidOf, oneRound, type Tally } from './rounds.ts';

/**
 * `npm run nightly -- clients`: OAuth clients of other hands fetch, use, introspect and revoke tokens over HTTP while every key
 * and every client secret rotates under them; then the key that signs is removed.
 */
const kinds: readonly KeyKind[] = ['access', 'session', 'pepper'];
/** How long a fresh key is published before it signs, because every process caches a ring for 20 s. */
const publishedMs = 22_000;
/** Until all keys have signed, on a machine with much other work. */
const longestMs = 120_000;
/** A request that began with a ring ends so soon. */
const requestMs = 1_500;

const clientsOf = (service: Service, python: string): ForeignClient[] => [
  withOpenidClient(service),
  withOauth4webapi(service),
  withCurl(service),
  withPython(service, { python, library: 'requests-oauthlib' }),
  withPython(service, { python, library: 'Authlib' }),
];
const names = ['openid-client', 'oauth4webapi', 'curl', 'requests-oauthlib', 'Authlib'];

const run = async (report: Report) => {
  const python = await report.need('the libraries of Python are installed', pythonWithClients);
  const place = await report.need('a stage is up, with a partner for each client', () => openPlace(names));
  const clients = clientsOf(place.stage, python);
  try {
    await rotateUnder(report, place, clients);
    await removeSigner(report, place, clients);
  } finally {
    for (const client of clients) await client.stop?.();
    await place.stage.stop();
  }
};

const rotateUnder = async (report: Report, place: Place, clients: readonly ForeignClient[]) => {
  const credentialsOf = ({ name }: ForeignClient) => place.partners.get(name) as Credentials;
  const tallies = clients.map(({ name }) => emptyTally(name));
  const buyer = emptyTally('buyers of V1');
  const isDone = { value: false };
  const loops = [
    ...clients.map(async (client, index) => {
      const tally = tallies[index] as Tally;
      const early = await earlyToken(client, credentialsOf(client), tally);
      while (!isDone.value) await oneRound(client, { credentials: credentialsOf(client), early }, tally);
    }),
    buyAgainAndAgain(place, buyer, isDone),
  ];
  report.announce('clients are at work; keys and client secrets rotate');
  try {
    await rotateAll(place, 'first');
    for (const name of names) await rotateSecret(place, name);
    await rotateAll(place, 'second');
    const signers = () => new Set(tallies.flatMap(({ kids }) => [...kids]));
    const endsAt = performance.now() + longestMs;
    while ((signers().size < 3 || buyer.kids.size < 3) && performance.now() < endsAt) await pause(200);
    const before = tallies.map(({ rounds }) => rounds);
    while (tallies.some(({ rounds }, index) => rounds < (before[index] ?? 0) + 2)) await pause(100);
  } finally {
    isDone.value = true;
    await Promise.all(loops);
  }
  printTallies([...tallies, buyer]);
  for (const tally of [...tallies, buyer]) await proveUnrefused(report, tally);
  await report.prove('three keys signed access tokens that clients used', async () =>
    expectSize(new Set(tallies.flatMap(({ kids }) => [...kids])).size, 3),
  );
  await report.prove('three keys signed the sessions of buyers', async () => expectSize(buyer.kids.size, 3));
};

/**
 * The key that stood by from the start on signs at once; the next one, when it was published for 22 s. The stage waits for
 * ten minutes, so keys are made older by the rest.
 */
const rotateAll = async ({ keys, operate }: Place, which: 'first' | 'second') => {
  for (const kind of kinds) {
    const waits = rotationTimes[kind].publishedMs;
    await keys.age(kind, which === 'first' ? waits : waits - publishedMs);
    await operate('keys', 'rotate', kind);
  }
};

const rotateSecret = async ({ operate, partners }: Place, name: string) => {
  const issued = await operate<Credentials>('partner', 'rotate-secret', name, '--overlap-hours', '1');
  partners.set(name, { ...(partners.get(name) as Credentials), clientSecret: issued.clientSecret });
};

/** One buyer keeps a session all the time, and others begin theirs. */
const buyAgainAndAgain = async ({ stage }: Place, tally: Tally, isDone: { value: boolean }) => {
  const first = aBrowserOn(stage, shop);
  while (!isDone.value) {
    for (const buyer of [first, aBrowserOn(stage, shop)]) {
      const { status } = await buyer.send('/api/transaction');
      tally.requests += 1;
      if (status !== 200) tally.refusals.push(`V1: ${status}`);
      else tally.kids.add(kidOf(buyer.state.token));
    }
    await pause(50);
  }
};

const printTallies = (tallies: readonly Tally[]) => {
  const table = new Table({
    style: { head: [], border: [] },
    head: ['client', 'rounds', 'requests', 'refusals', 'keys'],
  });
  for (const { name, rounds, requests, refusals, kids } of tallies)
    table.push([name, rounds, requests, refusals.length, kids.size]);
  const sum = (count: (tally: Tally) => number) => tallies.reduce((all, tally) => all + count(tally), 0);
  table.push([
    'all',
    sum(({ rounds }) => rounds),
    sum(({ requests }) => requests),
    sum((t) => t.refusals.length),
    '',
  ]);
  console.log(table.toString());
};

const proveUnrefused = (report: Report, { name, requests, refusals }: Tally) =>
  report.prove(`${name}: ${requests} requests while keys and secrets rotated, none refused`, async () => {
    if (refusals.length > 0) throw new Error([...new Set(refusals)].join('\n'));
    if (requests === 0) throw new Error('It made no request');
  });

const expectSize = (size: number, wanted: number) => {
  if (size !== wanted) throw new Error(`There were ${size}`);
};

const removeSigner = async (report: Report, place: Place, clients: readonly ForeignClient[]) => {
  const [client] = clients as [ForeignClient];
  const credentials = place.partners.get(client.name) as Credentials;
  const token = await client.fetch(credentials);
  const isPublished = async () =>
    (await place.keys.ringOf('access')).entries.some(({ kid }) => kid === kidOf(token));
  const removal = place.operate('keys', 'remove', kidOf(token));
  while (await isPublished()) await pause(20);
  const began = performance.now();
  const seconds = () => Math.round((performance.now() - began) / 100) / 10;
  let lastTaken = 0;
  while (seconds() * 1000 < ringKeptMs + requestMs) {
    // Two at once, because the stage runs two instances, each with its own cache.
    const statuses = await Promise.all([1, 2].map(() => client.use(token, credentials)));
    if (statuses.includes(200)) lastTaken = seconds();
    await pause(100);
  }
  await removal;
  await report.prove(
    `tokens of a removed key were taken for ${lastTaken} s, and never again (M-10: 60 s)`,
    async () => {
      const status = await client.use(token, credentials);
      if (status !== 401) throw new Error(`V2 answers ${status}`);
    },
  );
  await report.prove('and each client goes on with a token of the next key', async () => {
    const tallies = await Promise.all(clients.map((one) => afterRemoval(place, one)));
    const refusals = tallies.flatMap((tally) => tally.refusals.map((text) => `${tally.name}: ${text}`));
    if (refusals.length > 0) throw new Error(refusals.join('\n'));
  });
};

const afterRemoval = async ({ partners }: Place, client: ForeignClient) => {
  const tally = emptyTally(client.name);
  await oneRound(client, { credentials: partners.get(client.name) as Credentials }, tally);
  return tally;
};

const report = new Report();
try {
  await run(report);
} catch (fault) {
  if (!(fault instanceof Halted))
    report.abandon(fault instanceof Error ? (fault.stack ?? '') : String(fault));
}
process.exitCode = report.close() ? 0 : 1;
