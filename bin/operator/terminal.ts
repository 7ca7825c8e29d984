import { createInterface } from 'node:readline/promises';
import { pipeline } from 'node:stream/promises';

/** Input and output of a command. */
export type Terminal = {
  /** Prints the result, and nothing else. */
  print: (text: string) => void;
  /** Prints a result of any length, at the speed of its reader. */
  printEach: (pieces: AsyncIterable<string>) => Promise<void>;
  /** Prints progress and warnings, apart from the result. */
  note: (text: string) => void;
  /** Whether a person is there to answer questions. */
  isInteractive: boolean;
  /** Whether a progress bar can redraw itself. */
  canRedraw: boolean;
  ask: (question: string) => Promise<string>;
};

/** The terminal of this process: results on standard output, notes on standard error. */
export const processTerminal = (out: NodeJS.WritableStream = process.stdout): Terminal => ({
  print: (text) => out.write(text),
  printEach: (pieces) => pipeline(pieces, out, { end: false }),
  note: (text) => process.stderr.write(text),
  isInteractive: process.stdin.isTTY === true && process.stderr.isTTY === true,
  canRedraw: process.stderr.isTTY === true,
  ask: async (question) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    try {
      return (await lines.question(question)).trim();
    } finally {
      lines.close();
    }
  },
});

/** Replaces control characters but line breaks by `?`: names come from data, and could repaint the terminal (TH-21). */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : '?'));
