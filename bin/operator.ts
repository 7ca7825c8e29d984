#!/usr/bin/env node
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { connect } from './operator/connect.ts';
import { runOperator } from './operator/program.ts';
import { processTerminal } from './operator/terminal.ts';

const isUnread = (error: NodeJS.ErrnoException) => error.code === 'EPIPE';

/** A reader such as `head` may close the pipe early: that is not an error. */
process.stdout.on('error', (error) => {
  if (!isUnread(error)) throw error;
  process.exit();
});

/** A closed standard error must not stop a command half-way. */
process.stderr.on('error', (error) => {
  if (!isUnread(error)) throw error;
});

process.exitCode = await runOperator(process.argv.slice(2), {
  terminal: processTerminal(),
  user: userInfo().username,
  stackFile: process.env.TRANSACTIONS_STACK ?? join(import.meta.dirname, '..', '.local', 'stack.json'),
  environment: process.env,
  connect,
});
