import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '../../../bin/operator/connect.ts';
import { runOperator } from '../../../bin/operator/program.ts';
import { type RightsOf, startRecorder } from '../rights/recorder.ts';
import { operatorTableRights } from '../rights/recording-engine.ts';
import type { TestStage } from '../stage/stage.ts';
import { aTerminal } from './operator.ts';

/** The operator's tool at a running stage, in this process, with the rights that its requests needed. */
export const recordOperator = async ({ dataDir, stack }: Pick<TestStage, 'dataDir' | 'stack'>) => {
  const { endpoints, variables } = stack.operator;
  const recorders = {
    dynamodb: await startRecorder(endpoints.dynamodb, operatorTableRights),
    sqs: await startRecorder(endpoints.sqs, queueRights),
    secretsmanager: await startRecorder(endpoints.secretsmanager, secretRights(variables)),
  };
  const stackFile = join(dataDir, 'recorded.json');
  const recorded = Object.fromEntries(
    Object.entries(recorders).map(([service, { endpoint }]) => [service, endpoint]),
  );
  writeFileSync(stackFile, JSON.stringify({ operator: { variables, endpoints: recorded } }));
  const used = () => Object.values(recorders).flatMap(({ usedBy }) => usedBy(''));
  return {
    /** The JSON that a command printed; one that fails is an error. */
    operate: async (...args: string[]): Promise<never> => {
      const { terminal, said } = aTerminal();
      await runOperator([...args, '--json', '--yes'], {
        ...{ terminal, user: 'tester', stackFile },
        connect,
      });
      const answer = JSON.parse(said.printed);
      if (answer.error !== undefined) throw new Error(`${args.join(' ')}: ${answer.error}`);
      return answer as never;
    },
    rights: () => [...new Set(used())].sort(),
    stop: () => {
      for (const { stop } of Object.values(recorders)) stop();
    },
  };
};

/** The tool looks into the queue of dead letters, and sends to that of keep-endpoints. A batch needs the right to send one. */
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
