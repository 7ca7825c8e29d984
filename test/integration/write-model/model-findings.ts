import { isDeepStrictEqual } from 'node:util';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import {
  type Expected,
  expect as expected,
  isHiddenFrom,
  type ModelState,
  modelOf,
  type Operation,
} from './model.ts';
import type { Told } from './model-caller.ts';
import type { Commit, Marker, World } from './write-world.ts';

/** Everything in which a world differs from the model after all its writers came to rest; empty when all is well. */
export const findingsOf = async (world: World, told: readonly Told[]): Promise<string[]> => {
  const { all, records, markers, drift } = await world.everything();
  const histories = Map.groupBy(world.commits, ({ after }) => after.transaction.uuid);
  const operations = new Map(told.map(({ operation }) => [operation.id, operation]));
  const findings = [
    ...drift.map((one) => `listing: ${JSON.stringify(one)}`),
    ...storedFindings(all, histories),
    ...[...histories.values()].flatMap((history) => historyFindings(history, operations)),
    ...doubleCommits(world.commits),
    ...told.flatMap((one) => answerFindings(one, world.commits, told)),
    ...paymentFindings(all),
    ...markerFindings(markers, histories),
    ...recordFindings(records, told, world.commits),
  ];
  const more = findings.length - shown;
  return more > 0 ? [...findings.slice(0, shown), `and ${more} more`] : findings;
};

/** One fault of an atomic write has many effects. */
const shown = 8;

/** What the engine holds is the last that it took, nothing more and nothing less. */
const storedFindings = (all: readonly StoredTransaction[], histories: Map<string, Commit[]>) => {
  const stored = new Map(all.map((one) => [one.transaction.uuid, one]));
  const unlike = [...histories].filter(
    ([uuid, history]) => !isDeepStrictEqual(stored.get(uuid), history.at(-1)?.after),
  );
  return [
    ...unlike.map(([uuid]) => `${uuid}: is not as its last commit left it`),
    ...[...stored.keys()].filter((uuid) => !histories.has(uuid)).map((uuid) => `${uuid}: from nowhere`),
  ];
};

/** Versions without gaps, each made by one operation from the one before exactly as the model says. */
const historyFindings = (history: readonly Commit[], operations: Map<number, Operation>) =>
  history.flatMap(({ operation: id, after }, index) => {
    const where = `${after.transaction.uuid} version ${after.version}`;
    if (after.version !== index + 1) return [`${where}: is commit ${index + 1}`];
    const before = history[index - 1];
    const operation = operations.get(id);
    if (!before) return createdFindings(where, operation, after);
    if (!operation) return [`${where}: by nobody`];
    const should = expected(operation, modelOf(before.after));
    if (should.is !== 'changed') return [`${where}: operation ${id} should be ${should.is}`];
    const isRising = after.updatedAtMs > before.after.updatedAtMs;
    const isKept = after.sequenceNumber === before.after.sequenceNumber;
    if (!isRising || !isKept) return [`${where}: time or place is wrong`];
    return isDeepStrictEqual(modelOf(after), should.to)
      ? []
      : [`${where}: ${JSON.stringify(modelOf(after))} should be ${JSON.stringify(should.to)}`];
  });

/** A transaction that was there from the beginning has no operation. */
const createdFindings = (
  where: string,
  operation: Operation | undefined,
  { transaction }: StoredTransaction,
) => {
  if (!operation) return [];
  const { location, ...members } = operation.body;
  const isAsAsked =
    operation.kind === 'create' &&
    transaction.ndMeta?.location === location &&
    Object.entries(members).every(([name, value]) =>
      isDeepStrictEqual(transaction[name as 'guestEmail'], value),
    );
  return isAsAsked ? [] : [`${where}: was not created as asked`];
};

const doubleCommits = (commits: readonly Commit[]) =>
  [...Map.groupBy(commits, ({ operation }) => operation)]
    .filter(([operation, made]) => operation >= 0 && made.length > 1)
    .map(([operation, made]) => `operation ${operation}: done ${made.length} times`);

/** Every answer is true: done exactly when it says so, refused only for a reason that held meanwhile. */
const answerFindings = (
  { operation, reply, from, to }: Told,
  commits: readonly Commit[],
  told: readonly Told[],
) => {
  const own = commits.find((commit) => commit.operation === operation.id);
  const where = `operation ${operation.id} (${operation.kind}, ${reply.status})`;
  if (reply.status >= 500) return [];
  if (reply.status >= 400) {
    if (own && isHiddenSince({ operation, reply, to }, own, commits)) return [];
    const twins = told.filter((one) => one.operation === operation && one.reply !== reply);
    if (own && twins.every((twin) => twin.reply.status >= 400 && twin.reply.status < 500))
      return [`${where}: refused and done`];
    const isSo = meanwhile(operation, commits, { from, to }).some(
      ([should]) => should.is === 'refused' && should.status === reply.status,
    );
    return isSo ? [] : [`${where}: refused without reason: ${reply.text}`];
  }
  const version = Number(/^"(\d+)\./.exec(String(reply.headers.ETag))?.[1]);
  if (!own && operation.key === undefined && isMadeByAnother(operation, commits, { from, to })) return [];
  if (operation.kind === 'restore') return own ? [] : [`${where}: told done and not done`];
  if (own && isToldRightly(own, version, commits.slice(0, to))) return [];
  if (own) return [`${where}: told version ${version}`];
  const isSo = meanwhile(operation, commits, { from, to }).some(
    ([should, state]) => should.is === 'unchanged' && state?.version === version,
  );
  return isSo ? [] : [`${where}: told done and not done`];
};

/** It was done, its answer was lost, and when it was asked for again its caller saw the transaction no more. */
const isHiddenSince = (
  { operation, reply, to }: Pick<Told, 'operation' | 'reply' | 'to'>,
  own: Commit,
  commits: readonly Commit[],
) =>
  reply.status === 404 &&
  operation.key !== undefined &&
  commits
    .slice(commits.indexOf(own), to)
    .filter(({ after }) => after.transaction.uuid === own.after.transaction.uuid)
    .some(({ after }) => isHiddenFrom(operation, modelOf(after)));

/** The version of its own commit, or a later one if it found its change made already after a lost answer. */
const isToldRightly = ({ after }: Commit, version: number, commits: readonly Commit[]) => {
  const isOfSame = (one: Commit) => one.after.transaction.uuid === after.transaction.uuid;
  const last = commits.findLast(isOfSame)?.after.version ?? 0;
  return version >= after.version && version <= last;
};

/** Without a key, two writes of the same at once cannot be told apart by anybody, also not by those who sent them. */
const isMadeByAnother = (
  operation: Operation,
  commits: readonly Commit[],
  window: { from: number; to: number },
) =>
  meanwhile(operation, commits, window).some(
    ([should]) =>
      should.is === 'changed' &&
      commits
        .slice(window.from, window.to)
        .some(
          ({ after }) =>
            after.transaction.uuid === operation.uuid && isDeepStrictEqual(modelOf(after), should.to),
        ),
  );

/** What the model says about each state that stood at some time while the operation was asked for. */
const meanwhile = (
  operation: Operation,
  commits: readonly Commit[],
  { from, to }: { from: number; to: number },
): [Expected, ModelState | undefined][] => {
  const isOfOne = ({ after }: Commit) => after.transaction.uuid === operation.uuid;
  const before = commits.slice(0, from).findLast(isOfOne);
  const states = [before, ...commits.slice(from, to).filter(isOfOne)].map((commit) =>
    commit ? modelOf(commit.after) : undefined,
  );
  return states.map((state) => [expected(operation, state), state]);
};

/** One completion for each completed transaction, and unique numbers (ID-2, V2-4, TH-20). */
const paymentFindings = (all: readonly StoredTransaction[]) => {
  const payments = all.flatMap(({ transaction }) => transaction.payments ?? []);
  const ids = new Set(payments.map(({ id }) => id));
  const owners = all.map(
    ({ transaction }) => new Set(transaction.payments?.map((one) => one.transaction_id)),
  );
  const wrong = all.filter(({ transaction: { status, payments = [] } }) => {
    const completions = payments.filter(({ is_selected }) => is_selected === 1).length;
    return completions !== status;
  });
  return [
    ...wrong.map(({ transaction }) => `${transaction.uuid}: not exactly one completion`),
    ...(ids.size === payments.length ? [] : ['payments: an id was given twice']),
    ...(owners.every(({ size }) => size <= 1) ? [] : ['payments: two numbers for one transaction']),
  ];
};

/** Each completion left its marker, and nothing else did (I8). */
const markerFindings = (markers: readonly Marker[], histories: Map<string, Commit[]>) => {
  const textOf = (uuid: string, version: number) => `TX#${uuid}/COMPLETED of version ${version}`;
  const left = markers.map(({ pk, sk, version }) => `${pk}/${sk} of version ${version}`);
  const due = [...histories].flatMap(([uuid, history]) => {
    const completed = history.find(({ after }) => after.transaction.status === 1);
    return completed ? [textOf(uuid, completed.after.version)] : [];
  });
  const isAlike = isDeepStrictEqual(left.toSorted(), due.toSorted());
  return isAlike ? [] : [`markers: ${left.join(', ')} should be ${due.join(', ')}`];
};

/** Every change with a key has a record, and no refusal has one. */
const recordFindings = (records: number, told: readonly Told[], commits: readonly Commit[]) => {
  const keyed = Map.groupBy(
    told.filter(({ operation }) => operation.key !== undefined),
    ({ operation }) => operation.id,
  );
  const isCertain = ([id, asked]: [number, Told[]]) =>
    commits.some(({ operation }) => operation === id) || asked.some(({ reply }) => reply.status < 300);
  const isPossible = ([, asked]: [number, Told[]]) =>
    asked.some((one) => one.reply.status >= 500 || isUnchangedAndHidden(one, commits));
  const least = [...keyed].filter(isCertain).length;
  const most = [...keyed].filter((one) => isCertain(one) || isPossible(one)).length;
  return records >= least && records <= most ? [] : [`${records} records for ${least} to ${most} changes`];
};

/** It changed nothing, the answer that its record holds was lost, and then its caller saw the transaction no more. */
const isUnchangedAndHidden = ({ operation, reply, tries, ...window }: Told, commits: readonly Commit[]) =>
  reply.status === 404 &&
  tries > 1 &&
  meanwhile(operation, commits, window).some(([should]) => should.is === 'unchanged');
