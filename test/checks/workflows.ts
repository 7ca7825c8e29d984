import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../deploy/processes.ts';
import type { Report } from '../deploy/report.ts';
import { root } from '../support/repository.ts';
import { inPlace, project, toolsFrom } from './place.ts';

const folder = join(root, '.github');
const workflows = () => readdirSync(join(folder, 'workflows')).map((name) => join(folder, 'workflows', name));

/** What runs on GitHub: understood there, every action pinned to a commit, no right that a job does not use. */
export const proveWorkflows = async (report: Report): Promise<void> => {
  const check = async (tool: string, args: string[]) => {
    const command = (await toolsFrom('workflows', 'check_jsonschema'))(tool);
    return run({ command, args, ...project, logFile: inPlace(`${tool}.log`), timeoutSeconds: 120 });
  };
  await report.prove('S-71 GitHub understands the workflows', () =>
    check('check-jsonschema', ['--builtin-schema', 'vendor.github-workflows', ...workflows()]),
  );
  await report.prove('S-71 zizmor finds nothing in them, and nothing in how updates are asked for', () =>
    check('zizmor', ['--offline', '--no-progress', '--persona', 'auditor', folder]),
  );
};
