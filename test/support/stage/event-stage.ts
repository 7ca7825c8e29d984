import { openEventPlace } from './event-place.ts';
import { startStage } from './stage.ts';

/** How long a change rests; the stage looks every second. */
export const dormancyMs = 2_000;
const args = ['--dormancy-seconds', '2'];
/** Long enough for a rest, a tick, and two cores that have other things to do. */
const patienceMs = 120_000;

/** A stage as processes, with short times, and endpoints for its partners, for tests that end it and start it again. */
export const startEventStage = async () => {
  let stage = await startStage({ args });
  const place = await openEventPlace(() => stage);
  const { receiver, notifiedTo } = place;
  return {
    ...place,
    stage: () => stage,
    /** The messages to a partner, once there are this many. */
    whenNotified: (name: string, count: number) =>
      until(
        () => notifiedTo(name),
        (told) => told.length >= count,
        `${name} was sent ${count} times`,
      ),
    whenAsked: (name: string, count: number) =>
      until(
        () => place.askedOf(name),
        (asked) => asked.length >= count,
        `${name} was asked ${count} times`,
      ),
    restart: async (how: 'stop' | 'kill') => {
      if (how === 'kill') await stage.kill();
      stage = await stage.restart();
    },
    stop: async () => {
      await stage.stop();
      await receiver.stop();
    },
  };
};

export type EventStage = Awaited<ReturnType<typeof startEventStage>>;

const until = async <Value>(
  look: () => Value | Promise<Value>,
  isWanted: (value: Value) => boolean,
  what: string,
): Promise<Value> => {
  const end = Date.now() + patienceMs;
  for (let value = await look(); ; value = await look()) {
    if (isWanted(value)) return value;
    if (Date.now() > end) throw new Error(`It never came to be that ${what}: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};
