import type {
  CreateApiDestinationRequest,
  CreateConnectionRequest,
  PutRuleRequest,
  Target,
} from '@aws-sdk/client-eventbridge';
import type { EventBridge } from '../../../functions/shared/outbound/endpoint/state.ts';

type Input = Record<string, unknown>;
type Named<Record> = Record & { Arn: string };
type StoredConnection = Named<CreateConnectionRequest> & { ConnectionState: string };
type StoredDestination = Named<CreateApiDestinationRequest>;
type StoredRule = Named<PutRuleRequest> & { targets: Target[] };

/** What it holds, values of connections too. */
export type MemoryEventBridge = EventBridge & {
  connections: Map<string, StoredConnection>;
  destinations: Map<string, StoredDestination>;
  rules: Map<string, StoredRule>;
};

/** How many of each part an account may have. */
type Quotas = { connections?: number; destinations?: number; rules?: number };

/** EventBridge in memory, as far as partners' endpoints need it, with the refusals of the real one. One suite runs on both. */
export const createMemoryEventBridge = (quotas: Quotas = {}): MemoryEventBridge => {
  const connections: MemoryEventBridge['connections'] = new Map();
  const destinations: MemoryEventBridge['destinations'] = new Map();
  const rules: MemoryEventBridge['rules'] = new Map();
  let made = 0;

  const arnOf = (kind: string, name: unknown) => {
    made += 1;
    return `arn:aws:events:eu-west-2:000000000000:${kind}/${name}/${made}`;
  };
  const kept = <Value>(map: Map<string, Value>, name: unknown): Value =>
    map.get(String(name)) ?? fail('ResourceNotFoundException', `${name} does not exist.`);
  const isFree = (map: Map<string, unknown>, name: unknown) =>
    map.has(String(name)) && fail('ResourceAlreadyExistsException', `${name} exists already.`);
  const isWithin = (map: Map<string, unknown>, name: unknown, most = Number.POSITIVE_INFINITY) =>
    !map.has(String(name)) &&
    map.size >= most &&
    fail('LimitExceededException', 'The requested resource exceeds the maximum number allowed.');
  const drop = (map: Map<string, unknown>, name: unknown) => {
    kept(map, name);
    map.delete(String(name));
    return {};
  };
  const ruleOf = (input: Input) => kept(rules, input.Rule ?? input.Name);

  const operations: Record<string, (input: Input) => unknown> = {
    DescribeConnection: ({ Name }) => described(kept(connections, Name)),
    DescribeApiDestination: ({ Name }) => {
      const { Arn, ...destination } = kept(destinations, Name);
      return { ...destination, ApiDestinationArn: Arn };
    },
    DescribeRule: (input) => {
      const { targets: _, ...rule } = ruleOf(input);
      return rule;
    },
    ListTargetsByRule: (input) => ({ Targets: ruleOf(input).targets }),
    ListConnections: ({ NamePrefix }) => ({
      Connections: [...connections.values()]
        .filter(({ Name = '' }) => Name.startsWith(String(NamePrefix ?? '')))
        .map(({ Name, ConnectionState }) => ({ Name, ConnectionState })),
    }),
    CreateConnection: (input) => {
      isFree(connections, input.Name);
      isWithin(connections, input.Name, quotas.connections);
      const Arn = arnOf('connection', input.Name);
      const connection = {
        ...(input as unknown as CreateConnectionRequest),
        Arn,
        ConnectionState: 'AUTHORIZED',
      };
      connections.set(String(input.Name), connection);
      return { ConnectionArn: Arn, ConnectionState: 'AUTHORIZED' };
    },
    UpdateConnection: (input) => {
      Object.assign(kept(connections, input.Name), input, { ConnectionState: 'AUTHORIZED' });
      return {};
    },
    DeleteConnection: ({ Name }) => drop(connections, Name),
    CreateApiDestination: (input) => {
      isFree(destinations, input.Name);
      isWithin(destinations, input.Name, quotas.destinations);
      const Arn = arnOf('api-destination', input.Name);
      destinations.set(String(input.Name), { ...(input as unknown as CreateApiDestinationRequest), Arn });
      return { ApiDestinationArn: Arn };
    },
    UpdateApiDestination: (input) => {
      Object.assign(kept(destinations, input.Name), input);
      return {};
    },
    DeleteApiDestination: ({ Name }) => drop(destinations, Name),
    PutRule: (input) => {
      isWithin(rules, input.Name, quotas.rules);
      const { targets = [], Arn = arnOf('rule', input.Name) } = rules.get(String(input.Name)) ?? {};
      const rule = { State: 'ENABLED' as const, ...(input as unknown as PutRuleRequest) };
      rules.set(String(input.Name), { ...rule, Arn, targets });
      return { RuleArn: Arn };
    },
    DeleteRule: ({ Name }) => {
      const hasTargets = (rules.get(String(Name))?.targets.length ?? 0) > 0;
      if (hasTargets) fail('ValidationException', "Rule can't be deleted since it has targets.");
      rules.delete(String(Name));
      return {};
    },
    PutTargets: (input) => {
      const rule = ruleOf(input);
      const added = input.Targets as Target[];
      const others = rule.targets.filter(({ Id }) => added.every((one) => one.Id !== Id));
      rule.targets = [...others, ...added];
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
    RemoveTargets: (input) => {
      const rule = ruleOf(input);
      rule.targets = rule.targets.filter(({ Id = '' }) => !(input.Ids as string[]).includes(Id));
      return { FailedEntryCount: 0, FailedEntries: [] };
    },
  };

  const send = async (command: Command) => {
    const perform = operations[nameOf(command)] ?? fail('InvalidAction', `${nameOf(command)} is unknown.`);
    return copyOf(perform(copyOf(command.input)));
  };

  return { connections, destinations, rules, send: send as unknown as EventBridge['send'] };
};

type Command = { constructor: { name: string }; input: Input };

const nameOf = (command: Command) => command.constructor.name.replace(/Command$/, '');

/** Values that are secret are never given back. */
const described = ({ AuthParameters, Arn, ...connection }: StoredConnection) => ({
  ...connection,
  ConnectionArn: Arn,
  AuthParameters: { ApiKeyAuthParameters: { ApiKeyName: AuthParameters?.ApiKeyAuthParameters?.ApiKeyName } },
});

/** As over the wire: nothing is shared, and undefined members are absent. */
const copyOf = <Value>(value: Value): Value => JSON.parse(JSON.stringify(value));

const fail = (name: string, message: string): never => {
  throw Object.assign(new Error(message), { name });
};
