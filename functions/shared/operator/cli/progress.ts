import { SingleBar } from 'cli-progress';
import type { Terminal } from './terminal.ts';

export type Progress = { update: (done: number, about: string) => void; stop: () => void };

/** A bar on a terminal where the total is known; elsewhere a plain line now and then. */
export const progressOf = (terminal: Terminal, total?: number): Progress =>
  terminal.canRedraw && total !== undefined && total > 0 ? bar(total) : plainLines(terminal);

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

/** Every fifth time: an import says so every 500 lines. */
const plainLines = ({ note }: Terminal): Progress => {
  let updates = 0;
  return {
    update: (_done, about) => {
      updates += 1;
      if (updates % 5 === 0) note(`${about}\n`);
    },
    stop: () => {},
  };
};
