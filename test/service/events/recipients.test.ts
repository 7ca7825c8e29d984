import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { change, type EventPlace, openEventPlace, pay } from '../../support/stage/event-place.ts';
import { endEngineAfterFile, openStage, type ServiceStage } from '../../support/stage/open-stage.ts';

jest.setTimeout(120_000);

let stage: ServiceStage;
let events: EventPlace;
beforeAll(async () => {
  stage = await openStage();
  events = await openEventPlace(() => stage);
});
afterAll(async () => {
  await stage.close();
  await events.receiver.stop();
});
endEngineAfterFile();

/** Dormancy and the next tick. */
const rest = () => stage.passTime(130_000);
const grant = (name: string, text: string) => events.operate('partner', 'grant', name, '--grant', text);
const revoke = (name: string, text: string) =>
  events.operate('partner', 'revoke-grant', name, '--grant', text);
const example = { firstName: 'Ann', lastName: 'Example' };

test('EV-4 I9 S-54 who is told is decided when it is sent: no revoked and no disabled partner, but one that came meanwhile', async () => {
  const one = await events.aCase('writer');
  await events.partner('revoked', `group=${one.group}`);
  await events.partner('disabled', `group=${one.group}`);

  await stage.passTimeDuring(events.operate('partner', 'disable', 'disabled'));
  await change(one, { customer: example });
  await revoke('revoked', `group=${one.group}`);
  await events.partner('new', `group=${one.group}`);
  await rest();

  const told = (name: string) => events.toldTo(name, one.uuid);
  const whole = [{ TransactionUpdated: '1-2', customer: example }];
  expect([told('writer'), told('new')]).toEqual([whole, whole]);
  expect([...events.askedOf('revoked'), ...events.askedOf('disabled')]).toEqual([]);
});

test('EV-4 I9 of a transaction that moved, its former owner is told nothing more, and its new one what changed with the move', async () => {
  const [uuid = ''] = await events.imported('moving', 'from', 'to');
  const { program } = await events.partner('mover', 'group=moving');
  await events.partner('from', 'group=moving,location=from');
  await events.partner('to', 'group=moving,location=to');
  const edit = (body: object) => change({ program, uuid }, body);

  await edit({ customer: { lastName: 'Example' } });
  await rest();
  await edit({ extras: null });
  await edit({ location: 'to' });
  await rest();
  await edit({ valuation: { vrm: 'AB12 CDE' } });
  await rest();

  const [first, moved, last] = [
    { TransactionUpdated: '1-2', customer: example },
    { TransactionUpdated: '2-4', extras: null },
    { TransactionUpdated: '4-5', valuation: { vrm: 'AB12 CDE' } },
  ];
  expect(events.toldTo('mover', uuid)).toEqual([first, moved, last]);
  expect(events.toldTo('from', uuid)).toEqual([first]);
  expect(events.toldTo('to', uuid)).toEqual([moved, last]);
  expect(events.notifiedTo('to')[0]?.message.detail.ndMeta).toMatchObject({ location: 'to' });
});

describe('what is sent later', () => {
  /** How a sending is kept from a partner until it is released; `again` causes one that is still to come. */
  type Way = {
    name: string;
    hold?: (partner: string) => unknown;
    again?: (write: (body: object) => Promise<unknown>) => Promise<unknown>;
    release: (partner: string) => unknown;
  };
  const ways: Way[] = [
    {
      name: 'held by a pause',
      hold: (name) => stage.passTimeDuring(events.operate('partner', 'pause', name)),
      release: (name) => stage.passTimeDuring(events.operate('partner', 'resume', name)),
    },
    {
      name: 'refused with 404',
      hold: (name) => events.receiver.answers(name, () => 404),
      release: async (name) => {
        events.receiver.answers(name, () => 204);
        await stage.passTime(16 * 60_000);
      },
    },
    {
      name: 'left unanswered by the bus',
      hold: () =>
        stage.fault(({ target }) => (target.endsWith('.PutEvents') ? 'InternalException' : undefined)),
      release: async () => {
        stage.fault();
        await stage.passTime(30_000);
      },
    },
    {
      name: 'replayed',
      again: async (write) => {
        const since = new Date(Date.now() - 3_600_000).toISOString().replace(/\.\d+/, '');
        await rest();
        await write({ since });
      },
      release: () => stage.passPolls(),
    },
  ];

  test.each(ways)(
    'I8 I9 S-54 a completion that was $name does not reach who may not see its transaction any more',
    async ({ name, hold, again, release }) => {
      const [group, other, told] = [`${name}-1`, `${name}-2`, name.replaceAll(' ', '-')];
      const grants = [`group=${group},location=from`, `group=${other}`] as const;
      const [kept = '', moved = ''] = await events.imported(group, 'from', 'from', 'to');
      const [taken = ''] = await events.imported(other, 'from');
      const writer = await events.partner(`writer-${told}`, `group=${group}`, '--grant', grants[1]);
      const { program } = await events.partner(told, grants[0], '--grant', grants[1]);

      await hold?.(told);
      for (const uuid of [kept, moved, taken]) await pay({ program: writer.program, uuid });
      await stage.settled();
      await again?.((body) => program.write('POST', '/api/v2/event/replay', body));
      const before = events.notifiedTo(told).length;
      await change({ program: writer.program, uuid: moved }, { location: 'to' });
      await revoke(told, grants[1]);
      await release(told);
      await rest();

      const sent = events.notifiedTo(told).slice(before);
      expect(sent.map(({ message }) => [message.detail.uuid, message['detail-type']]).toSorted()).toEqual([
        [kept, 'TransactionCompleted'],
        [kept, 'TransactionUpdated'],
      ]);
      const completions = events
        .notifiedTo(`writer-${told}`)
        .filter(({ message }) => message['detail-type'] === 'TransactionCompleted');
      expect(completions.map(({ message }) => message.detail.uuid).toSorted()).toEqual([kept, moved, taken]);
    },
  );
});

describe('twelve transactions of eight partners', () => {
  const names = Array.from({ length: 8 }, (_, index) => `many-${index + 1}`);
  const [turning, steady] = [names.slice(0, 3), names.slice(3)];
  let uuids: string[];
  let changeAll: (lastName: string) => Promise<unknown>;
  beforeAll(async () => {
    uuids = await events.imported('many', ...Array.from({ length: 12 }, () => 'location-a'));
    const { program } = await events.partner('many', 'group=many');
    for (const name of names) await events.partner(name, 'group=many');
    changeAll = (lastName) =>
      Promise.all(uuids.map((uuid) => change({ program, uuid }, { customer: { lastName } })));
  });
  /** A rest, and a lease more: on a busy machine a sender may come too late for some, or be taken for dead. */
  const restLong = async () => {
    await rest();
    await stage.passTime(30_000);
    await stage.passTime(30_000);
  };
  /** From which version up to which one a partner was told of a transaction, if its different messages join. */
  const joined = (name: string, uuid: string) => {
    const ranges = new Set(events.toldTo(name, uuid).map((told) => String(told.TransactionUpdated)));
    return [...ranges].reduce((all, range) => {
      const [from, to] = range.split('-');
      return all.endsWith(`-${from}`) ? `${all.split('-')[0]}-${to}` : `${all} ${range}`.trim();
    }, '');
  };
  const joinedTo = (name: string) => uuids.map((uuid) => joined(name, uuid));

  test('I1 I6 each change is told to each partner, with one id for all of them', async () => {
    await changeAll('One');
    await restLong();

    for (const name of names) expect([name, joinedTo(name)]).toEqual([name, uuids.map(() => '1-2')]);
    const ids = names.flatMap((name) => events.notifiedTo(name).map(({ message }) => message.id));
    expect(new Set(ids).size).toBe(12);
  });

  test('I1 I9 grants that turn while all is sent cost others nothing; then who has none is told nothing, and who has one again goes on', async () => {
    await changeAll('Two');
    let isOver = false;
    const sending = rest().finally(() => {
      isOver = true;
    });
    while (!isOver) for (const name of turning) await turn(name);
    await sending;
    for (const name of turning) await revoke(name, 'group=many');
    await restLong();
    const before = turning.map((name) => events.askedOf(name).length);
    await changeAll('Three');
    await restLong();
    const after = turning.map((name) => events.askedOf(name).length);
    for (const name of turning) await grant(name, 'group=many');
    await changeAll('Four');
    await restLong();

    expect(after).toEqual(before);
    for (const name of steady) expect([name, joinedTo(name)]).toEqual([name, uuids.map(() => '1-5')]);
    for (const name of turning)
      expect(uuids.map((uuid) => joined(name, uuid).endsWith('-5'))).toEqual(uuids.map(() => true));
  });

  /** Takes the grant that counts and gives it back. */
  const turn = async (name: string) => {
    await revoke(name, 'group=many');
    await grant(name, 'group=many');
  };
});
