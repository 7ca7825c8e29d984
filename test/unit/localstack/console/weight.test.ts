import { gzipSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { readPageFiles } from '../../../../localstack/console/page-files.ts';

test('RUN-10 the scripts of the console weigh less than 40 kB as they are served', () => {
  const scripts = [...readPageFiles()].filter(([name]) => name.endsWith('.ts')).map(([, { body }]) => body);
  const bytes = Buffer.byteLength(scripts.join(''));
  console.log(
    `console: ${bytes} bytes of script in ${scripts.length} files, ${gzipSync(scripts.join('')).length} zipped`,
  );

  expect(bytes).toBeLessThan(40_000);
});
