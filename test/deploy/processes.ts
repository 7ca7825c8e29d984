import { type ChildProcess, spawn } from 'node:child_process';
import { appendFileSync, closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';

export type Command = {
  command: string;
  args: string[];
  env: NodeJS.ProcessEnv;
  cwd?: string;
  /** Gets all that the command prints; replaced at each start. */
  logFile: string;
};

/** The processes started here that are alive; each leads a group, so that its children end with it. */
const alive = new Set<ChildProcess>();

/** Starts a command that stays up. */
export const start = ({ command, args, env, logFile }: Command): ChildProcess => {
  const log = openSync(logFile, 'w');
  const child = spawn(command, args, { env, detached: true, stdio: ['ignore', log, log] });
  closeSync(log);
  remember(child);
  return child;
};

/** Runs a command to its end and returns its stdout; a failure shows the end of the log. */
export const run = async (asked: Command & { timeoutSeconds: number }): Promise<string> => {
  const { command, args, env, cwd, logFile, timeoutSeconds } = asked;
  writeFileSync(logFile, '');
  const child = spawn(command, args, { env, cwd, detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  remember(child);
  const printed: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => printed.push(chunk));
  child.stdout.on('data', (chunk: Buffer) => appendFileSync(logFile, chunk));
  child.stderr.on('data', (chunk: Buffer) => appendFileSync(logFile, chunk));
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), timeoutSeconds * 1000);
  const end = await endOf(child);
  clearTimeout(timer);
  if (end === 0) return Buffer.concat(printed).toString();
  throw new Error(`${command} ${args.join(' ')}\n${end}; last lines of ${logFile}:\n${lastLines(logFile)}`);
};

/** Ends the remaining processes by SIGTERM. */
export const stopAll = async (): Promise<void> => {
  await Promise.all([...alive].map(stop));
};

/** Kills the remaining processes, for an exit without time to wait. */
export const killAll = (): void => {
  for (const child of alive) signalGroup(child, 'SIGKILL');
};

const stop = async (child: ChildProcess) => {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const timer = setTimeout(() => signalGroup(child, 'SIGKILL'), 5000);
  signalGroup(child, 'SIGTERM');
  await ended;
  clearTimeout(timer);
  signalGroup(child, 'SIGKILL');
};

const remember = (child: ChildProcess) => {
  alive.add(child);
  child.once('exit', () => alive.delete(child));
  child.once('error', () => alive.delete(child));
};

/** 0, or how it ended otherwise. */
const endOf = (child: ChildProcess) =>
  new Promise<0 | string>((resolve) => {
    child.once('error', (fault) => resolve(`could not be started: ${fault.message}`));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? 0 : signal ? `was stopped by ${signal}` : `ended with ${code}`),
    );
  });

const signalGroup = (child: ChildProcess, signal: NodeJS.Signals) => {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The group is gone already.
  }
};

const lastLines = (file: string) => readFileSync(file, 'utf8').trimEnd().split('\n').slice(-20).join('\n');
