import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../deploy/processes.ts';
import { runProofs } from '../deploy/run-proofs.ts';
import { root } from '../support/repository.ts';
import { auditDelivered } from './audit.ts';
import { inPlace, makePlace, project } from './place.ts';
import { assertNoSecret } from './secrets.ts';
import { proveWorkflows } from './workflows.ts';

/**
 * `npm run check -- supply`: what is delivered is listed, has permitted licences and no known vulnerability, and
 * contains no secret.
 */
type Component = {
  'bom-ref': string;
  name: string;
  version: string;
  licenses?: Licence[];
  properties?: { name: string }[];
};
type Edges = { ref: string; dependsOn?: string[] };
type Bill = { metadata: { component: { name: string } }; components: Component[]; dependencies: Edges[] };
type Licence = { license?: { id?: string; name?: string }; expression?: string };

const billName = 'sbom.cdx.json';
const { name: packageName, workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  name: string;
  workspaces: string[];
};

/** None of them asks more than to be named. */
const allowedLicences: string[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'licences.json'), 'utf8'),
);

/**
 * The packages that the repository delivers, from the lock file alone, as CycloneDX. npm's own `--omit dev` would leave
 * out packages that a tool needs as well.
 */
const componentsDelivered = async (): Promise<Component[]> => {
  const printed = await run({
    command: 'npm',
    args: ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'],
    ...{ ...project, logFile: inPlace('sbom.log'), timeoutSeconds: 120 },
  });
  const delivered = ofThisPackage(withoutTools(JSON.parse(printed) as Bill));
  writeFileSync(inPlace(billName), `${JSON.stringify(delivered, null, 2)}\n`);
  return delivered.components;
};

const withoutTools = (bill: Bill): Bill => {
  const tools = new Set(
    bill.components
      .filter((component) => isTool(component) || isWorkspace(component))
      .map((component) => component['bom-ref']),
  );
  const dependencies = bill.dependencies
    .filter(({ ref }) => !tools.has(ref))
    .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((other) => !tools.has(other)) }));
  const components = bill.components.filter((component) => !tools.has(component['bom-ref']));
  return { ...bill, components, dependencies };
};

/** npm names what the bill is of after the folder of the clone. */
const ofThisPackage = (bill: Bill): Bill => {
  const { component } = bill.metadata;
  return { ...bill, metadata: { ...bill.metadata, component: { ...component, name: packageName } } };
};

const isTool = ({ properties = [] }: Component) =>
  properties.some(({ name }) => name === 'cdx:npm:package:development');

/** Our own packages in their folders: not of others, and under no licence (README). */
const isWorkspace = ({ name }: Component) => workspaces.includes(name);

const assertComplete = (components: Component[]) => {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: true; link?: true }>;
  };
  const locked = Object.keys(packages).filter(
    (path) => path.includes('node_modules/') && !packages[path]?.dev && !packages[path]?.link,
  );
  const listed = new Set(components.map(({ name }) => name));
  const missing = locked
    .map((path) => path.split('node_modules/').at(-1) ?? '')
    .filter((name) => !listed.has(name));
  if (missing.length > 0) throw new Error(`The bill of materials lacks ${missing.join(', ')}.`);
};

const assertAllowed = (components: Component[]) => {
  const refused = components.filter(({ licenses = [] }) => !licenses.some(isAllowed));
  const lines = refused.map(
    ({ name, version, licenses }) => `${name}@${version}: ${JSON.stringify(licenses ?? 'no licence')}`,
  );
  if (lines.length > 0) throw new Error(lines.join('\n'));
};

/** Of a choice, one that is allowed is enough; what has `AND` is for a person to judge. */
const isAllowed = ({ license, expression }: Licence) => {
  const named = expression ?? license?.id ?? license?.name ?? '';
  return named
    .replaceAll(/[()]/g, '')
    .split(' OR ')
    .some((id) => allowedLicences.includes(id));
};

await runProofs(async (report) => {
  makePlace();
  let components: Component[] = [];
  await report.prove('TH-25 what is delivered is listed, each package of the lock file', async () => {
    components = await componentsDelivered();
    assertComplete(components);
  });
  await report.prove('TH-25 each package that is delivered has a licence that is allowed', async () =>
    assertAllowed(components),
  );
  await report.prove('no file of the repository holds a secret', assertNoSecret);
  const audit = await auditDelivered();
  const untouched = 'S-71 nothing that is delivered has a known vulnerability of high severity';
  if (audit.heard)
    await report.prove(untouched, async () => {
      if (audit.dangerous.length > 0) throw new Error(`Update ${audit.dangerous.join(', ')}.`);
    });
  else await report.miss(untouched, { why: audit.why, attempt: () => Promise.reject(new Error(audit.why)) });
  await proveWorkflows(report);
});
