import { type StageName, stageNames } from '../../lib/config.ts';

/** Findings of checkov that are meant to be so: one check, the resources that it is found in, and one reason for all of them. */
export type Acceptance = {
  check: string;
  why: string;
  /** All stages, unless only these. */
  stages?: readonly StageName[];
  /** Paths of constructs, with the stack before them. */
  of: readonly string[];
};

const waitedFor = [
  ...['TokenApi/IssueToken', 'TransactionsApi/V1Transaction'],
  ...['TransactionsApi/V2Read', 'TransactionsApi/V2Write', 'TransactionsApi/V2Partner'],
  'TransactionsApi/ServeDocs',
];
const scheduled = ['Reconciler/Reconcile', 'ExpirySweep/SweepExpired'];
const collector = 'DeadLetterCollector/CollectDeadLetters';
const capture = 'ChangeCapture/CaptureChange';
const publisher = 'DormantPublisher/PublishDormant';
const rotation = 'SigningKeys/RotateKeys';
const keeper = 'EndpointKeeper/KeepEndpoints';
const probe = 'EndpointKeeper/ProbeEndpoint';
const reserved = [...waitedFor.filter((name) => !name.endsWith('V2Read')), capture, publisher];
const unreserved = ['TransactionsApi/V2Read', ...scheduled, collector, rotation];
const everyFunction = [...waitedFor, ...scheduled, collector, capture, publisher, rotation, keeper, probe];

const functions = (names: readonly string[]) => names.map((name) => `service/${name}/Function/Resource`);

const methods = (api: string, paths: readonly string[]) =>
  paths.map((path) => `service/${api}/Api/Default/${path}/Resource`);

/** Links have no `/api` in their paths, so these exist twice. */
const withAndWithoutPrefix = (paths: readonly string[]) => paths.flatMap((path) => [`api/${path}`, path]);

const caching = (stage: StageName): Acceptance => ({
  check: 'CKV_AWS_120',
  why: 'Answers depend on who asks and are true at once, so none may come from a cache of the gateway.',
  stages: [stage],
  of: ['TokenApi', 'TransactionsApi'].map((api) => `service/${api}/Api/DeploymentStage.${stage}/Resource`),
});

const noDeadLetters = (names: readonly string[], why: string): Acceptance => ({
  check: 'CKV_AWS_116',
  why,
  of: functions(names),
});

const unbounded = (
  names: readonly string[],
  why: string,
  stages: readonly StageName[] = stageNames,
): Acceptance => ({
  check: 'CKV_AWS_115',
  ...{ why, stages },
  of: functions(names),
});

/** An emulator is not watched. */
const watched = (check: string, resource: string, why: string): Acceptance => ({
  ...{ check, why, stages: ['staging', 'production'] },
  of: [`service/Watch/${resource}`],
});

/** What is found and meant to be so; one that is found no more is red, too. */
export const accepted: readonly Acceptance[] = [
  {
    check: 'CKV_AWS_33',
    why: 'The statement holds for callers of this account alone, by way of a store on which they have rights, as in the keys that AWS keeps itself.',
    of: ['data/DataKey/Key/Resource'],
  },
  {
    check: 'CKV_AWS_59',
    why: 'The token service is for who has no token yet: its function verifies the client itself, and keys and metadata are public.',
    of: methods('TokenApi', [
      ...['oauth2/token/ANY', 'oauth2/introspect/ANY', 'oauth2/revoke/ANY', 'oauth2/secret/ANY'],
      'oauth2/jwks/ANY',
      '.well-known/oauth-authorization-server/ANY',
    ]),
  },
  {
    check: 'CKV_AWS_59',
    why: 'The metadata of a protected resource are public (RFC 9728).',
    of: methods('TransactionsApi', [
      '.well-known/oauth-protected-resource/ANY',
      '.well-known/oauth-protected-resource/api/v2/ANY',
    ]),
  },
  {
    check: 'CKV_AWS_59',
    why: 'The description of the interface is public, so that partners start alone; nothing in it depends on who asks.',
    of: methods('TransactionsApi', [
      ...['openapi.json/ANY', 'docs/ANY', 'docs/{page+}/ANY', 'llms.txt/ANY', '.well-known/api-catalog/ANY'],
    ]),
  },
  {
    check: 'CKV_AWS_59',
    why: 'Anybody may begin a transaction, and the function verifies the session of whoever goes on with one.',
    of: methods('TransactionsApi', withAndWithoutPrefix(['transaction/ANY', 'transaction/{uuid}/ANY'])),
  },
  {
    check: 'CKV_AWS_59',
    why: 'Whoever signs in has no session yet: the function verifies the ID token (V1-10).',
    of: methods('TransactionsApi', withAndWithoutPrefix(['session/ANY'])),
  },
  {
    check: 'CKV_AWS_59',
    why: 'The function verifies the token itself, so that refusals have the documented shape and no verdict is cached.',
    of: methods('TransactionsApi', [
      ...['api/v2/partner/ANY', 'api/v2/event/replay/ANY', 'api/v2/event/{id}/replay/ANY'],
      ...withAndWithoutPrefix([
        ...['v2/transaction/ANY', 'v2/transaction/{uuid}/ANY', 'v2/payment/ANY'],
        ...['v2/event/ANY', 'v2/event/{id}/ANY'],
        ...['v2/webhook/ANY', 'v2/webhook/signature/ANY', 'v2/webhook/test/ANY'],
        ...['v2/transaction/{uuid}/PATCH', 'v2/transaction/{uuid}/PUT'],
      ]),
    ]),
  },
  ...stageNames.map(caching),
  noDeadLetters(waitedFor, 'Whoever calls it waits for its answer, and learns of a failure at once.'),
  noDeadLetters([capture], 'What its stream gives up goes to a queue of the event source.'),
  noDeadLetters([collector, keeper], 'What it fails at stays in the queue that it reads.'),
  noDeadLetters([probe], 'The function that calls it waits for its answer, and tries again.'),
  noDeadLetters([publisher], 'What it did not come to stays due, and the next tick finds it.'),
  noDeadLetters(scheduled, 'The next run looks at what a failed one left, and at more.'),
  noDeadLetters(
    [rotation],
    'CloudFormation and Secrets Manager note how it went, and the latter tries again.',
  ),
  unbounded(
    reserved,
    'A new account has ten concurrent executions, and a hundred must stay unreserved: production alone reserves.',
    ['local', 'staging'],
  ),
  unbounded(
    unreserved.slice(0, 1),
    'Lists take from what nobody reserved, so that they starve no other function.',
  ),
  unbounded(scheduled, 'Only its schedules call it, a few times an hour.'),
  unbounded([collector], 'Its event source calls it twice at once at most.'),
  unbounded([keeper], 'Its event source calls it five times at once at most.'),
  unbounded([probe], 'Only keep-endpoints calls it, once for each of its own executions.'),
  unbounded([rotation], 'Only deployments and rotations call it, one step at a time.'),
  {
    check: 'CKV_AWS_117',
    why: 'It calls AWS, as its role admits; one also answers at the address of the event that calls it, and one tries the addresses of partners. A VPC would add a way out to keep.',
    of: functions(everyFunction),
  },
  {
    check: 'CKV_AWS_173',
    why: 'Its variables are names and addresses, never a secret (S-22), and Lambda encrypts them with a key of its own.',
    of: functions(everyFunction),
  },
  ...['Urgent', 'Other'].map((topic) =>
    watched(
      'CKV_AWS_26',
      `AlarmTopics/${topic}/Resource`,
      'That a key of ours is disabled must reach somebody all the same (decision 37).',
    ),
  ),
  watched(
    'CKV_AWS_18',
    'OwnTrail/Bucket/Resource',
    'The bucket holds a log itself. An access log of it would need another bucket, with an access log in turn.',
  ),
  watched(
    'CKV_AWS_35',
    'OwnTrail/Trail',
    'Its files tell who disabled a key of ours, so they hang on none (decision 37).',
  ),
  watched(
    'CKV_AWS_67',
    'OwnTrail/Trail',
    'A stage is in one region, and its alarms count what happens there.',
  ),
  {
    check: 'CKV_AWS_192',
    why: 'Nothing here runs on Java, and the firewall has rules about rates only.',
    stages: ['production'],
    of: ['service/Firewall/Acl'],
  },
];
