import { createInstances, type Handler } from '../../../localstack/embedded/instances.ts';
import type { FunctionName } from '../../../localstack/embedded/wiring.ts';

type Load = () => Handler | Promise<Handler>;

/** Instances of functions that a test writes: each load gives a new handler, as a module that is loaded anew does. */
export const tinyFunctions = (
  loads: Partial<Record<FunctionName, Load>>,
  onLateWork?: (name: FunctionName, what: string) => void,
) => {
  const lines: string[] = [];
  const late: string[] = [];
  const instances = createInstances({
    variablesOf: (name) => ({ OWN: `of ${name}` }),
    endpoints: { dynamodb: 'http://127.0.0.1:1', aws: 'http://127.0.0.1:2' },
    write: (name, line) => void lines.push(`${name}: ${line}`),
    onLateWork: onLateWork ?? ((name, what) => void late.push(`${name}: ${what}`)),
    importFunction: async (name) => {
      const load = loads[name];
      if (!load) throw new Error(`The test has no function ${name}`);
      return { handler: await load() };
    },
  });
  return { ...instances, lines, late };
};
