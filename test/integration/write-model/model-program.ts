import { owners, type Reply } from '../../support/apis/write-apis.ts';
import { type Random, randomFrom } from '../../support/builders/random.ts';
import { uuidOf } from '../../support/builders/transactions.ts';
import type { TestEngine } from '../../support/engine/engine.ts';
import type { Fault } from '../../support/engine/faults.ts';
import { isHiddenFrom, modelOf, type Operation } from './model.ts';
import { askFor, askOnce, type ChooseCrash, type Told } from './model-caller.ts';
import { findingsOf } from './model-findings.ts';
import { openWorld, type World } from './write-world.ts';

const faults: Fault[] = [
  'conflict',
  'throttle',
  'crash-before-send',
  'answer-lost',
  'answer-and-token-lost',
  'duplicate',
];

/** Of the requests to the store, and of the calls, which die on the way. */
const shareOfFaults = 0.12;

export type ProgramRun = {
  findings: string[];
  told: Told[];
  commits: number;
  struck: Record<string, number>;
  replays: number;
};

export type ProgramOptions = {
  engine: TestEngine;
  seed: number;
  suffix: string;
};

/** A random program of 1 to 8 writers over few transactions, so that they meet; the seed decides everything. */
export const runProgram = async ({ engine, seed, suffix }: ProgramOptions): Promise<ProgramRun> => {
  const random = randomFrom(seed);
  const struck: Record<string, number> = {};
  const strike = () => {
    if (!random.isTrue(shareOfFaults)) return undefined;
    const fault = random.oneOf(faults);
    struck[fault] = (struck[fault] ?? 0) + 1;
    return fault;
  };
  const world = await openWorld({ engine, suffix, random: random.next, chooseFault: strike });
  const uuids = [await world.given(uuidOf(1), 'session-1'), await world.given(uuidOf(2), 'session-2')];
  const chooseCrash = () => {
    if (!random.isTrue(shareOfFaults)) return 0;
    struck.crash = (struck.crash ?? 0) + 1;
    return random.integer(2, 12) / 2;
  };
  const program = {
    world,
    random,
    uuids,
    chooseCrash,
    told: [] as Told[],
    replays: 0,
    operations: 0,
    findings: [] as string[],
  };
  const writers = random.integer(1, 8);
  const each = random.integer(1, Math.ceil(12 / writers));
  await world.turns.run(
    Array.from({ length: writers }, () => () => runWriter(program, each)),
    (waiting) => random.integer(0, waiting.length - 1),
  );
  const findings = [...program.findings, ...(await findingsOf(world, program.told))];
  return {
    findings,
    told: program.told,
    commits: world.commits.length,
    struck,
    replays: program.replays,
  };
};

type Program = {
  world: World;
  random: Random;
  uuids: string[];
  chooseCrash: ChooseCrash;
  told: Told[];
  replays: number;
  operations: number;
  findings: string[];
};

const runWriter = async (program: Program, count: number) => {
  for (let done = 0; done < count; done += 1) {
    const operation = anOperation(program);
    const told = await askTwiceAtTimes(program, operation);
    program.told.push(...told);
    for (const one of told) await afterwards(program, one);
  }
};

/** An impatient caller sends the same twice at once. */
const askTwiceAtTimes = async ({ world, random, chooseCrash }: Program, operation: Operation) => {
  const { key, via, kind } = operation;
  const isImpatient = key !== undefined && (via === 'WIDE' || kind === 'create') && random.isTrue(0.3);
  const asks = isImpatient ? 2 : 1;
  return Promise.all(Array.from({ length: asks }, () => askFor(world, operation, chooseCrash)));
};

/**
 * A created transaction can be changed by later operations. A repeated key gets the same answer (WR-1), as long as its
 * caller sees the transaction (GRANT-2, DEL-1).
 */
const afterwards = async (program: Program, { operation, reply }: Told) => {
  const { random, uuids } = program;
  if (reply.status >= 300) return;
  if (operation.kind === 'create') uuids.push(JSON.parse(reply.text).uuid);
  if (operation.key === undefined || !random.isTrue(0.4)) return;
  program.replays += 1;
  await replayed(program, { operation, reply });
};

const replayed = async (
  { world, findings }: Program,
  { operation, reply }: Pick<Told, 'operation' | 'reply'>,
) => {
  const uuid = operation.uuid ?? JSON.parse(reply.text).uuid;
  const again = await askSeeing(world, operation, uuid);
  if (!isRight(again, again.status === reply.status && again.text === reply.text))
    findings.push(`operation ${operation.id}: answered ${again.status} ${again.text} again`);
  if (again.status < 300 && again.headers['Idempotency-Replayed'] !== 'true')
    findings.push(`operation ${operation.id}: does not say that it is a replay`);
  const asked = { ...operation, body: { ...operation.body, ...otherBody(operation) } };
  const other = await askSeeing(world, asked, uuid);
  if (!isRight(other, other.status === 422))
    findings.push(`operation ${operation.id}: another body is answered ${other.status}`);
};

type SeenReply = Reply & { mayBeSeen: boolean; mayBeHidden: boolean };

/** Asks once more, and says whether the caller saw the transaction, or did not, at any time meanwhile. */
const askSeeing = async (world: World, operation: Operation, uuid: string): Promise<SeenReply> => {
  const ofOne = () => world.commits.filter(({ after }) => after.transaction.uuid === uuid);
  const from = ofOne().length - 1;
  const reply = await askOnce(world, operation);
  const hidden = ofOne()
    .slice(from)
    .map(({ after }) => isHiddenFrom(operation, modelOf(after)));
  return { ...reply, mayBeSeen: hidden.includes(false), mayBeHidden: hidden.includes(true) };
};

const isRight = ({ status, mayBeSeen, mayBeHidden }: SeenReply, isAsSeen: boolean) =>
  status >= 500 || (mayBeSeen && isAsSeen) || (mayBeHidden && status === 404);

const otherBody = ({ kind }: Operation) =>
  kind === 'payment' ? { message: 'another' } : { document_id: 'another' };

const kinds = [
  'create',
  'edit',
  'edit',
  'edit',
  'put',
  'remove',
  'same',
  'vehicle',
  'move',
  'delete',
  'restore',
  'failed-payment',
  'payment',
  'payment',
] as const;

const anOperation = (program: Program): Operation => {
  const { world, random, uuids } = program;
  program.operations += 1;
  const id = program.operations;
  const uuid = random.isTrue(0.7) ? (uuids[0] ?? '') : random.oneOf(uuids);
  const kind = random.oneOf(kinds);
  const asked = askedFor(kind, id, random);
  const version = world.commits.findLast(({ after }) => after.transaction.uuid === uuid)?.after.version ?? 1;
  const isOfOwner = kind === 'create' || kind === 'restore' || asked.kind === 'payment';
  const via = isOfOwner ? 'WIDE' : random.oneOf(['session', 'session', 'WIDE', 'NARROW'] as const);
  return {
    id,
    via: kind === 'create' ? 'session' : kind === 'restore' ? 'operator' : via,
    session: uuid === uuidOf(2) ? 'session-2' : 'session-1',
    ...(kind !== 'create' && { uuid }),
    ...asked,
    ...(kind !== 'restore' && random.isTrue(0.5) && { key: `key-${id}` }),
    ...(!isOfOwner && random.isTrue(0.25) && { ifMatch: version - random.integer(0, 1) }),
  };
};

/** Texts that no other operation writes, and a few that others may write as well. */
const askedFor = (
  kind: (typeof kinds)[number],
  id: number,
  random: Random,
): Pick<Operation, 'kind' | 'body'> => {
  const location = random.oneOf(owners).location;
  const stock = { identifiers: { ndstockid: `stock-${random.integer(1, 3)}` } };
  switch (kind) {
    case 'create':
      return { kind: 'create', body: { location, guestEmail: `${id}@example.com`, vehicle: stock } };
    case 'edit':
      return {
        kind: 'merge',
        body: { guestEmail: `${id}@example.com`, customer: { [`note${id % 3}`]: `${id}` } },
      };
    case 'put':
      return { kind: 'replace', body: { customer: { firstName: `${id}` }, incentive: random.isTrue(0.5) } };
    case 'remove':
      return { kind: 'merge', body: { vehicle: null, customer: { note1: null } } };
    case 'same':
      return { kind: 'merge', body: { incentive: false } };
    case 'vehicle':
      return { kind: 'merge', body: { vehicle: { ...stock, make: `${id}` } } };
    case 'move':
      return { kind: 'merge', body: { location } };
    case 'delete':
      return { kind: 'merge', body: { isDeleted: 1 } };
    case 'restore':
      return { kind: 'restore', body: {} };
    case 'failed-payment':
      return { kind: 'payment', body: { type: 1, value: '10.00', status: 0, reference: `${id}` } };
    case 'payment':
      return { kind: 'payment', body: { type: 1, value: '99.00', status: 1, reference: `${id}` } };
    default:
      return kind satisfies never;
  }
};
