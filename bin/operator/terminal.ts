import { createInterface } from 'node:readline/promises';
import { pipeline } from 'node:stream/promises';

/** What a command says to and hears from whoever runs it. */
export type Terminal = {
  /** Answers, and nothing but answers. */
  print: (text: string) => void;
  /** An answer of any length, made no faster than it is read. */
  printEach: (pieces: AsyncIterable<string>) => Promise<void>;
  /** Progress, warnings and questions, beside the answer. */
  note: (text: string) => void;
  /** Whether a person can be asked. */
  isInteractive: boolean;
  /** Whether progress may be drawn over itself. */
  canRedraw: boolean;
  ask: (question: string) => Promise<string>;
};

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

/** Text comes from data too: control characters would let it repaint the terminal (TH-21). */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : '?'));
