// Runs on any Node, to say which one is needed: the rest is TypeScript, which an old Node cannot read.
import { spawn } from 'node:child_process';
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

const program = new URL('embedded/start.ts', import.meta.url);
const args = process.argv.slice(2);

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Node ${process.versions.node} is too old: npm ci brings Node 24 on Linux and Windows, and npm start uses it; elsewhere install the version in .nvmrc.`,
  );
  process.exitCode = 1;
} else if (args.includes('--watch')) {
  // Node starts the program again after a change of a file that it has loaded. It handles Ctrl-C itself, after this process.
  const own = args.filter((arg) => arg !== '--watch');
  const child = spawn(
    process.execPath,
    ['--watch', '--watch-preserve-output', '--no-warnings', fileURLToPath(program), ...own],
    { stdio: 'inherit' },
  );
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {});
  child.on('exit', (code) => {
    process.exitCode = code ?? 0;
  });
} else {
  // What Node compiled at an earlier start is read at this one.
  enableCompileCache(fileURLToPath(new URL('../.local/compile-cache', import.meta.url)));
  await import(program.href);
}
