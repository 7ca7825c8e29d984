#!/usr/bin/env node
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { connect } from './operator/connect.ts';
import { runOperator } from './operator/program.ts';
import { processTerminal } from './operator/terminal.ts';

const isUnread = (error: NodeJS.ErrnoException) => error.code === 'EPIPE';

/** A reader that has seen enough, such as `head`, is no fault. */
process.stdout.on('error', (error) => {
  if (!isUnread(error)) throw error;
  process.exit();
});

/** Notes that nobody reads end no change in its middle. */
process.stderr.on('error', (error) => {
  if (!isUnread(error)) throw error;
});

process.exitCode = await runOperator(process.argv.slice(2), {
  terminal: processTerminal(),
  user: userInfo().username,
  stackFile: process.env.TRANSACTIONS_STACK ?? join(import.meta.dirname, '..', '.local', 'stack.json'),
  connect,
});
