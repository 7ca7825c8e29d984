import { SingleBar } from 'cli-progress';
import type { Terminal } from '../terminal.ts';

export type Progress = { update: (done: number, about: string) => void; stop: () => void };

export type Extent = {
  /** What `done` will reach, where that is known. */
  total?: number;
  /** Of how many updates one is told where nothing can be drawn. */
  oneIn: number;
};

/** A bar on a terminal where the total is known; elsewhere a plain line now and then. */
export const progressOf = (terminal: Terminal, { total = 0, oneIn }: Extent): Progress =>
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
