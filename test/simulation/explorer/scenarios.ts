import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { sendStandalone } from '../../../functions/shared/replay/standalone.ts';
import { anOwner } from '../../support/builders/transactions.ts';
import type { FaultMode } from '../kernel/faults.ts';
import { bytesOf, randomOf } from '../kernel/seeds.ts';
import { carryOut } from '../worlds/acts.ts';
import { type Act, transactionUuid } from '../worlds/program.ts';
import type { Bounds } from './explorer.ts';
import { listener, type Scene } from './scene.ts';

export const uuid = transactionUuid(0, 'scene');

/** What several processes do to one transaction at once. */
export type Scenario = {
  name: string;
  bounds: Bounds;
  /** What the checks may expect: timing of nothing, or of one thing, that goes wrong. */
  mode: FaultMode;
  prepare: (scene: Scene) => Promise<void>;
  tasks: (scene: Scene) => (() => Promise<unknown>)[];
};

const act = (scene: Scene, name: string, planned: Act) => {
  const process = scene.process('v2-write', name);
  const { transactions, requests } = scene.portsOf(process);
  const random = randomOf(0, name);
  return carryOut(
    { atMs: 0, uuid, ...planned },
    {
      ...{ transactions, requests },
      ids: { next: async () => 1 },
      clock: scene.clockOf(process),
      retryDelays: { random: () => 0, sleep: async () => {} },
      random: (size) => bytesOf(random, size),
      log: scene.service.log,
      askForCompletion: scene.service.askForCompletion(process),
    },
  );
};

const edit = (make: string): Act => ({ act: 'change', kind: 'merge', body: { vehicle: { make } } });
const payment: Act = { act: 'pay', body: { type: 1, value: '9.00', status: 1 } };
const begin: Act = { act: 'begin', how: 'entered', owner: anOwner(), body: { vehicle: { make: 'first' } } };

/** A change and what the stream makes of it, in two steps. */
const editAndRecord = (scene: Scene, name: string, make: string) => async () => {
  await act(scene, name, edit(make));
  await scene.recordChanges(`stream of ${name}`);
};

/** One partner, and one transaction that has rested for two minutes and is due. */
const due = async (scene: Scene) => {
  await scene.setPartner(listener('A'));
  await act(scene, 'first', begin);
  await scene.recordChanges('stream');
  scene.pass(125_000);
};

/** Nothing is pending, and the debounce row is scheduled once more, as by a record that came late. */
const scheduledForNothing = async (scene: Scene) => {
  await due(scene);
  await scene.flush('flush before');
  scene.pass(150_000);
  await scene.recordAgain('stream before', await storedIn(scene));
};

/** Sent once, changed since, and due again. */
const dueAgain = async (scene: Scene) => {
  await due(scene);
  await scene.flush('flush before');
  scene.pass(5_000);
  await act(scene, 'second', edit('second'));
  await scene.recordChanges('stream before');
  scene.pass(125_000);
};

/** Sent, and scheduled once more by a person. */
const replayed = async (scene: Scene) => {
  await due(scene);
  await scene.flush('flush before');
  scene.pass(30_000);
  const { deps, deliveries } = await scene.replaying(uuid);
  for (const delivery of deliveries) await sendStandalone(delivery, deps);
};

const storedIn = async ({ stores }: Scene): Promise<StoredTransaction> => {
  const stored = await stores.ports.transactions.byUuid(uuid);
  if (!stored) throw new Error('The scene has no transaction');
  return stored;
};

/** A sender that was paused in the middle continues after its lease. */
const pause = (scene: Scene) => () =>
  scene.step('pause', () => scene.pass(21_000, 'everybody is paused for 21 s'));

const twoFlushers = (scene: Scene) => [() => scene.flush('flush A'), () => scene.flush('flush B')];

export const scenarios: Scenario[] = [
  {
    name: 'two flushers',
    bounds: { preemptions: 99, deaths: 0 },
    mode: 'one',
    prepare: due,
    tasks: twoFlushers,
  },
  {
    name: 'two flushers and a writer with its record',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'one',
    prepare: dueAgain,
    tasks: (scene) => [...twoFlushers(scene), editAndRecord(scene, 'writer', 'third')],
  },
  {
    name: 'two flushers and an old record that comes again',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'one',
    prepare: dueAgain,
    tasks: (scene) => [
      ...twoFlushers(scene),
      async () => scene.recordAgain('stream again', await storedIn(scene)),
    ],
  },
  {
    name: 'nothing pending, two flushers and a writer with its record',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'one',
    prepare: scheduledForNothing,
    tasks: (scene) => [...twoFlushers(scene), editAndRecord(scene, 'writer', 'second')],
  },
  {
    name: 'nothing pending, a write whose record is late, two flushers, one of whom dies',
    bounds: { preemptions: 2, deaths: 1 },
    mode: 'one',
    prepare: scheduledForNothing,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await act(scene, 'writer', edit('second'));
        await scene.step('rest', () => scene.pass(125_000));
        await scene.flush('flush B');
      },
    ],
  },
  {
    name: 'two flushers, one of whom dies',
    bounds: { preemptions: 2, deaths: 1 },
    mode: 'one',
    prepare: dueAgain,
    tasks: twoFlushers,
  },
  {
    name: 'a paused flusher, its lease, and two that recover',
    bounds: { preemptions: 2, deaths: 0 },
    mode: 'many',
    prepare: dueAgain,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await pause(scene)();
        await scene.flush('flush B');
      },
      () => scene.flush('flush C'),
    ],
  },
  {
    name: 'a flusher that dies, and a writer with its record',
    bounds: { preemptions: 2, deaths: 1 },
    mode: 'one',
    prepare: dueAgain,
    tasks: (scene) => [() => scene.flush('flush A'), editAndRecord(scene, 'writer', 'third')],
  },
  {
    name: 'a flusher that dies, a write whose record is late, and one that recovers',
    bounds: { preemptions: 1, deaths: 1 },
    mode: 'many',
    prepare: dueAgain,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await act(scene, 'writer', edit('third'));
        await pause(scene)();
        await scene.flush('flush B');
        await scene.recordChanges('stream of writer');
      },
    ],
  },
  {
    name: 'a flusher that is paused over the next event',
    bounds: { preemptions: 2, deaths: 0 },
    mode: 'many',
    prepare: due,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await pause(scene)();
        await scene.flush('flush B');
        await editAndRecord(scene, 'writer', 'second')();
        await scene.step('rest', () => scene.pass(145_000));
        await scene.flush('flush C');
      },
    ],
  },
  {
    name: 'forty-five partners, and a flusher that dies',
    bounds: { preemptions: 0, deaths: 1 },
    mode: 'many',
    prepare: async (scene) => {
      for (let index = 0; index < 45; index += 1) await scene.setPartner(listener(`${index}B`));
      await due(scene);
    },
    tasks: (scene) => [() => scene.flush('flush A')],
  },
  {
    name: 'an event that is sent again on purpose, and two flushers',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'one',
    prepare: replayed,
    tasks: twoFlushers,
  },
  {
    name: 'an event that is sent again on purpose, and two flushers, one of whom dies',
    bounds: { preemptions: 1, deaths: 1 },
    mode: 'many',
    prepare: replayed,
    tasks: twoFlushers,
  },
  {
    name: 'a completing payment, the sender that it notifies, a writer and a flush at its marker',
    bounds: { preemptions: 2, deaths: 0 },
    mode: 'many',
    prepare: due,
    tasks: (scene) => [
      async () => {
        await act(scene, 'payment', payment);
        await scene.publishCompletion('sender');
      },
      () => act(scene, 'writer', edit('second')),
      () => scene.flush('flush'),
    ],
  },
  {
    name: 'a completing payment and the sender that it notifies, one of which dies, and a flush',
    bounds: { preemptions: 1, deaths: 1 },
    mode: 'one',
    prepare: due,
    tasks: (scene) => [
      async () => {
        await act(scene, 'payment', payment);
        await scene.publishCompletion('sender');
      },
      () => scene.flush('flush'),
    ],
  },
  {
    name: 'a flush and a partner that is revoked',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'one',
    prepare: async (scene) => {
      await scene.setPartner(listener('B'));
      await due(scene);
    },
    tasks: (scene) => [
      () => scene.flush('flush A'),
      () => scene.step('revoke', () => scene.setPartner({ ...listener('A'), grants: [] })),
    ],
  },
];
