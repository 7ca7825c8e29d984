import { SingleBar } from 'cli-progress';
import type { Terminal } from '../terminal.ts';

/** Shows the progress of a long command. */
export type Progress = { update: (done: number, about: string) => void; stop: () => void };

/** The amount of work, and how often to print. */
export type ProgressExtent = {
  /** The final value of `done`, if it is known. */
  total?: number;
  /** Without a bar, one in so many updates is printed. */
  oneIn: number;
};

/** A bar on a terminal when the total is known, otherwise plain lines. */
export const progressOf = (terminal: Terminal, { total = 0, oneIn }: ProgressExtent): Progress =>
  terminal.canRedraw && total > 0 ? bar(total) : plainLines(terminal, oneIn);

const bar = (total: number): Progress => {
  const drawn = new SingleBar({
    format: ' {bar} {percentage}% | {about} | {eta_formatted} left',
    hideCursor: true,
  });
  drawn.start(total, 0, { about: '' });
  return {
    update: (done, about) => drawn.update(Math.min(done, total), { about }),
    stop: () => drawn.stop(),
  };
};

const plainLines = ({ note }: Terminal, oneIn: number): Progress => {
  let updates = 0;
  return {
    update: (_done, about) => {
      updates += 1;
      if (updates % oneIn === 0) note(`${about}\n`);
    },
    stop: () => {},
  };
};
