// Runs on any Node, to say which one is needed: the rest is TypeScript, which an old Node cannot read.
import { spawn } from 'node:child_process';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Node starts the program again after a change of a file that it has loaded, and handles Ctrl-C itself, after this process. */
const watch = () => {
  const own = [fileURLToPath(import.meta.url), ...args.filter((arg) => arg !== '--watch')];
  const child = spawn(process.execPath, ['--watch', '--watch-preserve-output', '--no-warnings', ...own], {
    stdio: 'inherit',
  });
  for (const signal of signals) process.on(signal, () => {});
  child.on('exit', (code) => {
    process.exitCode = code ?? 0;
  });
};

const start = async () => {
  const stop = new AbortController();
  for (const signal of signals)
    process.on(signal, () => {
      // The second signal ends the process at once.
      if (stop.signal.aborted) process.exit(130);
      console.log('Stopping …');
      stop.abort();
    });
  // What Node compiled at an earlier start is read at this one.
  nodeModule.enableCompileCache(fileURLToPath(new URL('../.local/compile-cache', import.meta.url)));
  const { main } = await import('./embedded/start.ts');
  await main(args, stop.signal);
};

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Node ${process.versions.node} is too old: npm ci brings Node 24 on Linux and Windows, and npm start uses it; elsewhere install the version in .nvmrc.`,
  );
  process.exitCode = 1;
} else if (args.includes('--watch')) watch();
else await start();
