import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../../bin/operator/connect.ts';
import { runOperator } from '../../../bin/operator/program.ts';
import { type Asked, askedOf } from '../rights/asked.ts';
import { type RightsOf, startRecorder } from '../rights/recorder.ts';
import { operatorTableRights } from '../rights/table-rights.ts';
import type { ServiceStage } from '../stage/open-stage.ts';
import { aTerminal } from './operator.ts';

/** The operator's tool at a running stage, in this process, with the rights that each group of its commands needed. */
export const recordOperator = async ({ dataDir, stack }: Pick<ServiceStage, 'dataDir' | 'stack'>) => {
  const { endpoints, variables } = stack.operator;
  const used = new Map<string, Set<string>>();
  const atTables: Asked[] = [];
  const operated: string[] = [];
  const noted =
    (rightsOf: RightsOf): RightsOf =>
    (target, body) => {
      const rights = rightsOf(target, body);
      const group = groupOf(operated.at(-1));
      used.set(group, new Set([...(used.get(group) ?? []), ...rights]));
      return rights;
    };
  const tableRights: RightsOf = (target, body) => {
    atTables.push(...askedOf(target, body));
    return operatorTableRights(target, body);
  };
  const recorders = {
    dynamodb: await startRecorder(endpoints.dynamodb, noted(tableRights)),
    sqs: await startRecorder(endpoints.sqs, noted(queueRights)),
    secretsmanager: await startRecorder(endpoints.secretsmanager, noted(secretRights(variables))),
  };
  const stackFile = join(dataDir, 'recorded.json');
  const recorded = Object.fromEntries(
    Object.entries(recorders).map(([service, { endpoint }]) => [service, endpoint]),
  );
  return {
    /** The JSON that a command printed; one that fails is an error. */
    operate: async (...args: string[]): Promise<never> => {
      operated.push(args.join(' '));
      const { clock } = JSON.parse(readFileSync(join(dataDir, 'stack.json'), 'utf8'));
      writeFileSync(stackFile, JSON.stringify({ clock, operator: { variables, endpoints: recorded } }));
      const { terminal, said } = aTerminal();
      await runOperator([...args, '--json', '--yes'], { terminal, user: 'tester', stackFile, connect });
      const answer = JSON.parse(said.printed);
      if (answer.error !== undefined) throw new Error(`${args.join(' ')}: ${answer.error}`);
      return answer as never;
    },
    /** The rights that commands of a group needed, which is the first word of each. */
    rightsOf: (name: string) => [...(used.get(name) ?? [])].sort(),
    /** The commands that were run, in their order. */
    operated,
    /** What all of them asked of the tables, as IAM would judge it. */
    atTables,
    stop: () => {
      for (const { stop } of Object.values(recorders)) stop();
    },
  };
};

const groupOf = (command = '') => command.split(' ')[0] ?? '';

/**
 * The tool reads the queue of dead letters, and sends to that of keep-endpoints. A batch needs the right to send one.
 */
const queueRights: RightsOf = (target) => {
  const action = target.split('.')[1] ?? '';
  return action.startsWith('SendMessage')
    ? ['EndpointKeeperRequests sqs:SendMessage']
    : [`PartnerBusDeadLetters sqs:${action}`];
};

const secretRights =
  (variables: Record<string, string>): RightsOf =>
  (target, body) => {
    const { SecretId } = JSON.parse(body.toString()) as { SecretId: string };
    const named = {
      AccessKeys: 'ACCESS_KEYS_SECRET',
      SessionKeys: 'SESSION_KEYS_SECRET',
      Pepper: 'PEPPER_SECRET',
    };
    const [name] = Object.entries(named).find(([, variable]) => variables[variable] === SecretId) ?? ['?'];
    return [`${name} ${target.replace('.', ':')}`];
  };
