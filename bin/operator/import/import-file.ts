/** One line of a file; numbers count from 1. A line that is too long or not UTF-8 has a reason instead of a value. */
export type FileLine = { number: number; bytesRead: number } & (
  | { ok: true; value: string }
  | { ok: false; reason: string }
);

/** A transaction with its payments takes up to 400 kB (WR-4). A longer line is not kept in memory. */
const maxLineBytes = 1_000_000;

/** Splits a stream into lines; skips blank ones and accepts CRLF and a byte-order mark. */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<FileLine> {
  let number = 0;
  let bytesRead = 0;
  for await (const line of rawLines(chunks)) {
    number += 1;
    bytesRead += line.length + 1;
    const text = decode(line.parts, line.length);
    if (text.ok && text.value.trim() === '') continue;
    yield { number, bytesRead, ...text };
  }
}

type RawLine = { parts: Uint8Array[]; length: number };

async function* rawLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<RawLine> {
  let line: RawLine = { parts: [], length: 0 };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      yield extend(line, chunk.subarray(start, end));
      line = { parts: [], length: 0 };
      start = end + 1;
    }
    line = extend(line, chunk.subarray(start));
  }
  if (line.length > 0) yield line;
}

const extend = ({ parts, length }: RawLine, part: Uint8Array): RawLine =>
  length + part.length > maxLineBytes
    ? { parts: [], length: length + part.length }
    : { parts: [...parts, part], length: length + part.length };

const decode = (parts: Uint8Array[], length: number) => {
  if (length > maxLineBytes)
    return { ok: false, reason: `is longer than ${maxLineBytes / 1_000_000} MB` } as const;
  try {
    return {
      ok: true,
      value: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(parts)),
    } as const;
  } catch {
    return { ok: false, reason: 'is not UTF-8' } as const;
  }
};
