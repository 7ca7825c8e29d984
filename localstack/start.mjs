// Runs on any Node, to say which one is needed: the rest is TypeScript, which an old Node cannot read.
import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import nodeModule from 'node:module';
import { fileURLToPath } from 'node:url';

const args = process.argv.slice(2);
const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/**
 * Starts the stage again after each change of the code. Node's own `--watch` loses files that an editor or git replaces. The
 * stage has a process group of its own, so that it gets each signal once, from here.
 */
const watchCode = () => {
  const own = [
    ...process.execArgv,
    fileURLToPath(import.meta.url),
    ...args.filter((arg) => arg !== '--watch'),
  ];
  const root = fileURLToPath(new URL('..', import.meta.url));
  let wanted = false;
  let child;
  const run = () => {
    wanted = false;
    child = spawn(process.execPath, own, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'], detached: true });
    child.on('exit', (code) => {
      if (wanted) run();
      else if (watchers.length === 0) process.exitCode = code ?? 1;
      else console.log('It starts again after a change.');
    });
  };
  const restart = () => {
    if (child.exitCode !== null || child.signalCode !== null) return run();
    wanted = true;
    child.kill('SIGTERM');
  };
  let timer;
  const watchers = ['bin', 'functions', 'lib', 'localstack', 'partner-kit/src'].map((folder) =>
    watch(`${root}${folder}`, { recursive: true }, (_, file) => {
      if (!/\.(ts|mjs|json|ndjson)$/.test(file ?? '')) return;
      clearTimeout(timer);
      // An editor or git writes several files, or one in several steps.
      timer = setTimeout(restart, 50);
    }),
  );
  for (const signal of signals)
    process.on(signal, () => {
      for (const one of watchers.splice(0)) one.close();
      clearTimeout(timer);
      wanted = false;
      child.kill(signal);
    });
  run();
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
  // However the process that watches the code ends.
  process.on('disconnect', () => stop.abort());
  // What Node compiled at an earlier start is read at this one.
  nodeModule.enableCompileCache(fileURLToPath(new URL('../.local/compile-cache', import.meta.url)));
  const { main } = await import('./embedded/start.ts');
  await main(args, stop.signal);
  if (process.connected) process.disconnect();
};

if (Number(process.versions.node.split('.')[0]) < 24) {
  console.error(
    `Node ${process.versions.node} is too old: npm ci brings Node 24 on Linux and Windows, and npm start uses it; elsewhere install the version in .nvmrc.`,
  );
  process.exitCode = 1;
} else if (args.includes('--watch')) watchCode();
else await start();
