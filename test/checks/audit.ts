import { execFile } from 'node:child_process';
import { root } from '../support/repository.ts';
import { project } from './place.ts';

/** The result of `npm audit` for delivered packages: the vulnerable ones, or why it could not be asked. */
export type Audit = { heard: true; dangerous: string[] } | { heard: false; why: string };

type Printed = {
  vulnerabilities?: Record<string, { severity: string }>;
  message?: string;
  error?: { summary?: string };
};

/** Asks the registry which of the packages that are delivered have a known vulnerability of high severity or above. */
export const auditDelivered = async (): Promise<Audit> =>
  readAudit(await printedBy(['audit', '--json', '--omit=dev']));

/** npm exits with 1 if it finds something, and also if it cannot ask. */
const printedBy = (args: string[]) =>
  new Promise<string>((resolve) => {
    execFile('npm', args, { cwd: root, env: project.env, timeout: 120_000 }, (_fault, stdout) =>
      resolve(stdout),
    );
  });

/** A registry without that service is no verdict, in either direction. */
const readAudit = (stdout: string): Audit => {
  const { vulnerabilities, message, error } = JSON.parse(stdout || '{}') as Printed;
  if (!vulnerabilities)
    return { heard: false, why: message ?? error?.summary ?? 'npm audit ended without a word' };
  const dangerous = Object.entries(vulnerabilities).filter(([, { severity }]) =>
    ['high', 'critical'].includes(severity),
  );
  return { heard: true, dangerous: dangerous.map(([name, { severity }]) => `${name} (${severity})`) };
};
