import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

/** What jest's runner keeps in the process: without them it begins anew. */
const ofRunner = [Symbol.for('EVENT_HANDLERS'), Symbol.for('TEST_TIMEOUT_SYMBOL')];

/** The process as it is, for `runtime.ts`: what jest and the tests change of it is put back after each file. */
export default class NativeEnvironment {
  global = globalThis;
  moduleMocker = new ModuleMocker(globalThis);
  fakeTimers = null;
  former = { console, exit: process.exit, variables: { ...process.env } };

  constructor({ projectConfig }) {
    for (const symbol of ofRunner) delete globalThis[symbol];
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    globalThis.console = this.former.console;
    process.exit = this.former.exit;
    for (const name of Object.keys(process.env))
      if (!(name in this.former.variables)) delete process.env[name];
    Object.assign(process.env, this.former.variables);
  }

  exportConditions = () => ['node', 'node-addons'];

  /** None: nothing runs in a realm of its own. */
  getVmContext = () => null;
}
