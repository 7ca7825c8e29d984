import type { ChildProcess } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';

/** A server that was just started, and the address that it answers once it is up. */
export type Started = {
  name: string;
  child: ChildProcess;
  health: string;
  logFile: string;
  withinSeconds: number;
};

/** Waits until a server answers; one that ends, or takes too long, is an error that names its log. */
export const untilReady = async ({ name, child, health, logFile, withinSeconds }: Started): Promise<void> => {
  for (let attempt = 0; attempt < withinSeconds * 10; attempt += 1) {
    if (child.exitCode !== null || child.signalCode !== null) break;
    if (await isReady(health)) return;
    await pause(100);
  }
  throw new Error(`${name} did not come up within ${withinSeconds} s: see ${logFile}`);
};

const isReady = (health: string) =>
  fetch(health).then(
    (answer) => answer.ok,
    () => false,
  );
