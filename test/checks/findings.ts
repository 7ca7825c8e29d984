import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type StageName, stageNames } from '../../lib/config.ts';
import type { Acceptance } from './accepted.ts';

/** One check that one resource of one stage does not pass. */
export type Finding = { check: string; stage: StageName; resource: string };

/** Findings without an acceptance, and acceptances without a finding. */
export type Verdict = { unaccepted: string[]; stale: string[] };

/** Compares findings with acceptances in both directions, so that no acceptance outlives its finding. */
export const judge = (found: readonly Finding[], accepted: readonly Acceptance[]): Verdict => {
  const named = accepted.flatMap(findingsOf).map(nameOf);
  const names = found.map(nameOf);
  return {
    unaccepted: names.filter((name) => !named.includes(name)),
    stale: named.filter((name) => !names.includes(name)),
  };
};

const findingsOf = ({ check, stages = stageNames, of }: Acceptance): Finding[] =>
  stages.flatMap((stage) => of.map((resource) => ({ check, stage, resource })));

const nameOf = ({ check, stage, resource }: Finding) => `${check} in ${stage}: ${resource}`;

type Report = { results: { failed_checks: { check_id: string; file_path: string; resource: string }[] } };

/** What checkov printed about an assembly, with resources named by the paths of their constructs. */
export const findingsIn = (printed: string, assembly: string): Finding[] => {
  const paths = pathsIn(assembly);
  const { results } = JSON.parse(printed) as Report;
  return results.failed_checks.map(({ check_id, file_path, resource }) => {
    const [, stage = '', stack = ''] = /transactions-(\w+)-(\w+)\.template\.json$/.exec(file_path) ?? [];
    const [, logicalId = ''] = resource.split('.');
    return {
      check: check_id,
      stage: stage as StageName,
      resource: `${stack}/${paths.get(`${stage}-${stack} ${logicalId}`)}`,
    };
  });
};

type Metadata = Record<string, { type: string; data: unknown }[]>;

/** The path of each construct within its stack, by the names of the stack and of the resource. */
const pathsIn = (assembly: string): Map<string, string> =>
  new Map(
    readdirSync(assembly)
      .filter((file) => file.endsWith('.metadata.json'))
      .flatMap((file) => {
        const stack = file.replace('transactions-', '').replace('.metadata.json', '');
        const metadata = JSON.parse(readFileSync(join(assembly, file), 'utf8')) as Metadata;
        return Object.entries(metadata).flatMap(([path, entries]) =>
          entries
            .filter(({ type }) => type === 'aws:cdk:logicalId')
            .map(({ data }) => [`${stack} ${data}`, path.split('/').slice(2).join('/')] as const),
        );
      }),
  );
