import type { NdMeta } from '../../../functions/shared/domain/ownership/owner.ts';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { owe } from '../../../functions/shared/events/table.ts';
import type { FaultMode } from '../kernel/faults.ts';
import { bytesOf, randomOf } from '../kernel/seeds.ts';
import { carryOut } from '../worlds/acts.ts';
import { owners } from '../worlds/estate.ts';
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
const begin: Act = {
  act: 'begin',
  how: 'entered',
  owner: owners[0] as NdMeta,
  body: { vehicle: { make: 'first' } },
};

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
  await scene.leavePass(listener('A').clientId, 'replay', { sinceMs: 0 });
  await scene.turn('replay owes', listener('A').clientId);
  await scene.turn('replay makes due', listener('A').clientId);
};

const walking = (scene: Scene, name: string) => scene.service.sendingAgain(scene.process('operator', name));

/** The partner is paused when its first event falls due. */
const paused = async (scene: Scene) => {
  await due(scene);
  await scene.setPartner({ ...listener('A'), webhookPaused: 'operator' });
};

/** It was paused at its first event, and is behind. */
const behind = async (scene: Scene) => {
  await paused(scene);
  await scene.flush('flush before');
  scene.pass(31_000);
};

const resume = (scene: Scene) => async () => {
  await scene.step('resume', async () => {
    await scene.setPartner(listener('A'));
    await scene.leavePass(listener('A').clientId, 'wake');
  });
  await scene.turn('walk', listener('A').clientId);
};

/** Behind, with its row due, and resumed. */
const behindAndDue = async (scene: Scene) => {
  await behind(scene);
  await resume(scene)();
};

/** As a letter of another kind: nothing sends it by itself. */
const lastLetter =
  (scene: Scene, name = 'letter') =>
  () =>
    owe(walking(scene, name).table, {
      uuid,
      clientId: listener('A').clientId,
      from: 0,
      reason: 'EXHAUSTED',
      tries: 1,
      expiresAtMs: Date.parse('2026-12-21T11:30:00Z'),
    });

const withheld = (scene: Scene) => async () => {
  const { webhookUrl: _, ...partner } = listener('A');
  await scene.step('removal', async () => {
    await scene.setPartner(partner as ReturnType<typeof listener>);
    await scene.leavePass(partner.clientId, 'withhold');
  });
};

/** A dead letter of an earlier event. */
const letter = (scene: Scene) => () =>
  owe(walking(scene, 'letter').table, {
    uuid,
    clientId: listener('A').clientId,
    from: 0,
    reason: 'HTTP_404',
    tries: 1,
    dueAtMs: Date.parse('2026-11-21T11:30:00Z') + scene.nowMs() + 1,
  });

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
  {
    name: 'a paused partner, a flush, its resume with the walk, and a second flush',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'many',
    prepare: paused,
    tasks: (scene) => [() => scene.flush('flush A'), resume(scene), () => scene.flush('flush B')],
  },
  {
    name: 'a partner that is behind, a flush that looks at its row again, and its resume',
    bounds: { preemptions: 4, deaths: 0 },
    mode: 'many',
    prepare: behind,
    tasks: (scene) => [() => scene.flush('flush A'), resume(scene)],
  },
  {
    name: 'a partner that is behind, a flush, its resume, and one of them dies',
    bounds: { preemptions: 2, deaths: 1 },
    mode: 'many',
    prepare: paused,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await resume(scene)();
      },
      () => scene.flush('flush B'),
    ],
  },
  {
    name: 'a backlog row, two flushers and a dead letter',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'many',
    prepare: behindAndDue,
    tasks: (scene) => [...twoFlushers(scene), letter(scene)],
  },
  {
    name: 'a backlog row, two flushers and a writer with its record',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'many',
    prepare: behindAndDue,
    tasks: (scene) => [...twoFlushers(scene), editAndRecord(scene, 'writer', 'third')],
  },
  {
    name: 'a backlog row with something newer due, two flushers',
    bounds: { preemptions: 4, deaths: 0 },
    mode: 'many',
    prepare: async (scene) => {
      await behind(scene);
      await act(scene, 'second', edit('second'));
      await scene.recordChanges('stream before');
      scene.pass(125_000);
      await resume(scene)();
    },
    tasks: twoFlushers,
  },
  {
    name: 'a backlog row with something newer due, a flusher that dies, and a second one',
    bounds: { preemptions: 2, deaths: 1 },
    mode: 'many',
    prepare: async (scene) => {
      await behind(scene);
      await act(scene, 'second', edit('second'));
      await scene.recordChanges('stream before');
      scene.pass(125_000);
      await resume(scene)();
    },
    tasks: twoFlushers,
  },
  {
    name: 'a backlog row, a flusher that is paused over the next event',
    bounds: { preemptions: 2, deaths: 0 },
    mode: 'many',
    prepare: behindAndDue,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await pause(scene)();
        await editAndRecord(scene, 'writer', 'second')();
        await scene.step('rest', () => scene.pass(145_000));
        await scene.flush('flush C');
      },
    ],
  },
  {
    name: 'a flush and a deletion',
    bounds: { preemptions: 4, deaths: 0 },
    mode: 'one',
    prepare: dueAgain,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      () => act(scene, 'deletion', { act: 'change', kind: 'merge', body: { isDeleted: 1 } }),
    ],
  },
  {
    name: 'a dead letter that ends during a pause, and the resume',
    bounds: { preemptions: 2, deaths: 0 },
    mode: 'many',
    prepare: async (scene) => {
      await behind(scene);
      await scene.flush('the last look');
    },
    tasks: (scene) => [lastLetter(scene), () => scene.flush('flush A'), resume(scene)],
  },
  {
    name: 'a resume that dies, another, and a flush',
    bounds: { preemptions: 1, deaths: 1 },
    mode: 'many',
    prepare: behind,
    tasks: (scene) => [resume(scene), () => scene.flush('flush A'), resume(scene)],
  },
  {
    name: 'the sender of a backlog row, held back while the partner is paused over the next event',
    bounds: { preemptions: 2, deaths: 0 },
    mode: 'many',
    prepare: behindAndDue,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await pause(scene)();
        await scene.step('pause', () => scene.setPartner({ ...listener('A'), webhookPaused: 'operator' }));
        await editAndRecord(scene, 'writer', 'second')();
        await scene.step('rest', () => scene.pass(145_000));
        await scene.flush('flush C');
        await resume(scene)();
      },
    ],
  },
  {
    name: 'a replay, and a dead letter that ends while it is owed',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'many',
    prepare: async (scene) => {
      await due(scene);
      await scene.flush('flush before');
      scene.pass(90_000);
      await scene.leavePass(listener('A').clientId, 'replay', { sinceMs: 0 });
    },
    tasks: (scene) => [
      async () => {
        await scene.turn('replay owes', listener('A').clientId);
        await scene.turn('replay makes due', listener('A').clientId);
      },
      lastLetter(scene),
    ],
  },
  {
    name: 'a resume over another one that is past the row',
    bounds: { preemptions: 2, deaths: 0 },
    mode: 'many',
    prepare: async (scene) => {
      await behind(scene);
      await scene.flush('the last look');
      await scene.leavePass(listener('A').clientId, 'wake', { after: '~' });
      await scene.setPartner(listener('A'));
    },
    tasks: (scene) => [resume(scene), () => scene.flush('flush A')],
  },
  {
    name: 'a replay and a resume over it',
    bounds: { preemptions: 2, deaths: 0 },
    mode: 'many',
    prepare: async (scene) => {
      await due(scene);
      await scene.flush('flush before');
      scene.pass(90_000);
      await scene.leavePass(listener('A').clientId, 'replay', { sinceMs: 0 });
    },
    tasks: (scene) => [
      () => scene.turn('replay', listener('A').clientId),
      resume(scene),
      () => scene.flush('flush A'),
    ],
  },
  {
    name: 'a removal while a sender works, and another address after it',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'many',
    prepare: paused,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await withheld(scene)();
        for (let tries = 0; tries < 8 && scene.stores.isWithholding(listener('A').clientId); tries += 1) {
          await scene.step('wait', () => scene.pass(8_000));
          await scene.turn(`turn ${tries}`, listener('A').clientId);
          await scene.flush(`flush ${tries}`);
        }
        if (!scene.stores.isWithholding(listener('A').clientId))
          await scene.step('new address', async () => {
            await scene.setPartner({ ...listener('A'), webhookUrl: 'https://hooks.example/A/2' });
            await scene.leavePass(listener('A').clientId, 'wake');
          });
      },
    ],
  },
  {
    name: 'put and remove between read and write: two senders of a completion that is owed, and one that is owed anew',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'many',
    prepare: async (scene) => {
      await due(scene);
      await scene.flush('flush before');
      await act(scene, 'payment', payment);
      await scene.publishCompletion('sender');
      scene.pass(10_000);
      await owe(walking(scene, 'letter before').table, owedCompletion(scene));
    },
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await pause(scene)();
        await scene.flush('flush B');
        await owe(walking(scene, 'letter again').table, owedCompletion(scene));
      },
    ],
  },
  {
    name: 'a completion that is sent again, and a partner that is revoked',
    bounds: { preemptions: 4, deaths: 0 },
    mode: 'many',
    prepare: async (scene) => {
      await due(scene);
      await scene.flush('flush before');
      await act(scene, 'payment', payment);
      await scene.publishCompletion('sender');
      scene.pass(10_000);
      await owe(walking(scene, 'letter before').table, owedCompletion(scene));
    },
    tasks: (scene) => [
      () => scene.flush('flush A'),
      () => scene.step('revoke', () => scene.setPartner({ ...listener('A'), grants: [] })),
    ],
  },
  {
    name: 'a flush and a stop of everything',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'many',
    prepare: dueAgain,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await scene.step('stop', () => scene.stores.stop(true));
        await scene.flush('flush B');
        await scene.step('while', () => scene.pass(60_000));
        await scene.step('start', () => scene.stores.stop(false));
      },
    ],
  },
  {
    name: 'a wake-up and a first debt of a row that was just removed',
    bounds: { preemptions: 3, deaths: 0 },
    mode: 'many',
    prepare: behindAndDue,
    tasks: (scene) => [
      () => scene.flush('flush A'),
      async () => {
        await pause(scene)();
        await scene.flush('flush B');
        await lastLetter(scene, 'letter of B')();
        await resume(scene)();
      },
    ],
  },
];

const owedCompletion = (scene: Scene) => ({
  ...{ uuid, clientId: listener('A').clientId, completed: 2, reason: 'HTTP_404', tries: 1 },
  dueAtMs: Date.parse('2026-11-21T11:30:00Z') + scene.nowMs(),
});
