import type { JsonObject } from '../../../functions/shared/domain/transaction/transaction.ts';
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
  ...(['conflict', 'throttle', 'crash-before-send'] as const),
  ...(['answer-lost', 'answer-and-token-lost', 'duplicate'] as const),
];

/** How likely a request to the store meets a fault, and how likely a call dies on the way. */
const strikes = 0.12;

/** A random program of 1 to 8 writers over few transactions, so that they meet; the seed decides everything. */
export const runProgram = async (
  engine: TestEngine,
  { seed, suffix }: { seed: number; suffix: string },
): Promise<{ findings: string[]; counts: string[] }> => {
  const random = randomFrom(seed);
  const counts: string[] = [];
  const chooseFault = () => {
    if (!random.isTrue(strikes)) return undefined;
    const fault = random.oneOf(faults);
    counts.push(fault);
    return fault;
  };
  const world = await openWorld({ engine, suffix, random: random.next, chooseFault });
  const uuids = [await world.given(uuidOf(1), 'session-1'), await world.given(uuidOf(2), 'session-2')];
  const chooseCrash = () => {
    if (!random.isTrue(strikes)) return 0;
    counts.push('crash');
    return random.integer(2, 12) / 2;
  };
  const program: Program = {
    ...{ world, random, uuids, chooseCrash, counts },
    ...{ told: [], operations: 0, findings: [] },
  };
  const writers = random.integer(1, 8);
  const each = random.integer(1, Math.ceil(12 / writers));
  await world.turns.run(
    Array.from({ length: writers }, () => () => runWriter(program, each)),
    (waiting) => random.integer(0, waiting.length - 1),
  );
  const answers = program.told.map(({ operation, reply }) => `${operation.kind} ${reply.status}`);
  return {
    findings: [...program.findings, ...(await findingsOf(world, program.told))],
    counts: [...counts, ...answers, ...world.commits.map(() => 'commits')],
  };
};

type Program = {
  world: World;
  random: Random;
  uuids: string[];
  chooseCrash: ChooseCrash;
  /** The name of each thing that happened. */
  counts: string[];
  told: Told[];
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
 * A created transaction can be changed by later operations. A repeated key gets the same answer, or a session the
 * transaction as it is meanwhile (WR-1), as long as its caller sees the transaction (GRANT-2, DEL-1).
 */
const afterwards = async (program: Program, { operation, reply }: Told) => {
  const { random, uuids } = program;
  if (reply.status >= 300) return;
  if (operation.kind === 'create') uuids.push(JSON.parse(reply.text).uuid);
  if (operation.key === undefined || !random.isTrue(0.4)) return;
  program.counts.push('replays');
  await replayed(program, { operation, reply });
};

const replayed = async (
  { world, findings }: Program,
  { operation, reply }: Pick<Told, 'operation' | 'reply'>,
) => {
  const uuid = operation.uuid ?? JSON.parse(reply.text).uuid;
  const again = await askSeeing(world, operation, uuid);
  const isSame = operation.via === 'session' ? again.isOfPresent : again.text === reply.text;
  if (!isRight(again, again.status === reply.status && isSame))
    findings.push(`operation ${operation.id}: answered ${again.status} ${again.text} again`);
  if (again.status < 300 && again.headers['Idempotency-Replayed'] !== 'true')
    findings.push(`operation ${operation.id}: does not say that it is a replay`);
  const asked = { ...operation, body: { ...operation.body, ...otherBody(operation) } };
  const other = await askSeeing(world, asked, uuid);
  if (!isRight(other, other.status === 422))
    findings.push(`operation ${operation.id}: another body is answered ${other.status}`);
};

type SeenReply = Reply & { mayBeSeen: boolean; mayBeHidden: boolean; isOfPresent: boolean };

/**
 * Asks once more, and says whether the caller saw the transaction, or did not, at any time meanwhile, and whether the
 * answer has a version that it had meanwhile.
 */
const askSeeing = async (world: World, operation: Operation, uuid: string): Promise<SeenReply> => {
  const ofOne = () => world.commits.filter(({ after }) => after.transaction.uuid === uuid);
  const from = ofOne().length - 1;
  const reply = await askOnce(world, operation);
  const meanwhile = ofOne().slice(from);
  const hidden = meanwhile.map(({ after }) => isHiddenFrom(operation, modelOf(after)));
  const isOfPresent = meanwhile.some(({ after }) =>
    String(reply.headers.ETag).startsWith(`"${after.version}.`),
  );
  return { ...reply, isOfPresent, mayBeSeen: hidden.includes(false), mayBeHidden: hidden.includes(true) };
};

const isRight = ({ status, mayBeSeen, mayBeHidden }: SeenReply, isAsSeen: boolean) =>
  status >= 500 || (mayBeSeen && isAsSeen) || (mayBeHidden && status === 404);

const otherBody = ({ kind }: Operation) =>
  kind === 'payment' ? { message: 'another' } : { document_id: 'another' };

const kinds = [
  ...(['create', 'edit', 'edit', 'edit', 'put', 'remove', 'same', 'vehicle', 'move'] as const),
  ...(['delete', 'restore', 'failed-payment', 'payment', 'payment'] as const),
];

type Kind = (typeof kinds)[number];

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
const askedFor = (kind: Kind, id: number, random: Random): Pick<Operation, 'kind' | 'body'> => {
  const { location } = random.oneOf(owners);
  const stock = { identifiers: { ndstockid: `stock-${random.integer(1, 3)}` } };
  const guestEmail = `${id}@example.com`;
  const merge = (body: JsonObject) => ({ kind: 'merge', body }) as const;
  const payment = (status: 0 | 1, value: string) =>
    ({ kind: 'payment', body: { type: 1, value, status, reference: `${id}` } }) as const;
  const asked: Record<Kind, Pick<Operation, 'kind' | 'body'>> = {
    create: { kind: 'create', body: { location, guestEmail, vehicle: stock } },
    edit: merge({ guestEmail, customer: { [`note${id % 3}`]: `${id}` } }),
    put: { kind: 'replace', body: { customer: { firstName: `${id}` }, incentive: random.isTrue(0.5) } },
    remove: merge({ vehicle: null, customer: { note1: null } }),
    same: merge({ incentive: false }),
    vehicle: merge({ vehicle: { ...stock, make: `${id}` } }),
    move: merge({ location }),
    delete: merge({ isDeleted: 1 }),
    restore: { kind: 'restore', body: {} },
    'failed-payment': payment(0, '10.00'),
    payment: payment(1, '99.00'),
  };
  return asked[kind];
};
