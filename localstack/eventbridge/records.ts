import { z } from 'zod';
import type { MessagesFile } from '../data/messages-file.ts';

/** A target of a rule, in the shape of PutTargets and ListTargetsByRule. */
export type RuleTarget = {
  Id: string;
  Arn: string;
  RoleArn: string;
  Input?: string | undefined;
  InputPath?: string | undefined;
  HttpParameters?: { HeaderParameters?: Record<string, string> | undefined } | undefined;
  RetryPolicy?: RetryPolicy | undefined;
  DeadLetterConfig?: { Arn: string } | undefined;
};
export type RetryPolicy = {
  MaximumRetryAttempts?: number | undefined;
  MaximumEventAgeInSeconds?: number | undefined;
};

export type Rule = {
  Name: string;
  Arn: string;
  EventBusName: string;
  EventPattern: string;
  State: 'ENABLED' | 'DISABLED';
  Description?: string | undefined;
  RoleArn?: string | undefined;
  targets: RuleTarget[];
};

type Dated = { createdMs: number; modifiedMs: number };

/** A connection with its secrets, which are only sent to the destination. */
export type Connection = Dated & {
  Name: string;
  ConnectionArn: string;
  Description?: string | undefined;
  apiKey: { ApiKeyName: string; ApiKeyValue: string };
};

export type ApiDestination = Dated & {
  Name: string;
  ApiDestinationArn: string;
  ConnectionArn: string;
  InvocationEndpoint: string;
  HttpMethod: 'POST';
  InvocationRateLimitPerSecond: number;
  Description?: string | undefined;
};

export type EventRecords = {
  rules: RecordsOf<Rule>;
  connections: RecordsOf<Connection>;
  destinations: RecordsOf<ApiDestination>;
};

export type RecordsOf<Record> = {
  get: (name: string) => Record | undefined;
  put: (name: string, record: Record) => void;
  remove: (name: string) => void;
  /** The records whose names begin with the prefix, sorted by name. */
  list: (prefix: string) => Record[];
};

/** The rules, connections and destinations, which `keep-endpoints` makes. */
export const createEventRecords = (file: MessagesFile): EventRecords => ({
  rules: recordsOf(file, 'rule'),
  connections: recordsOf(file, 'connection'),
  destinations: recordsOf(file, 'destination'),
});

const recordsOf = <Record>({ db }: MessagesFile, kind: string): RecordsOf<Record> => {
  const find = db.prepare('SELECT body FROM records WHERE kind = ? AND name = ?');
  const write = db.prepare('INSERT OR REPLACE INTO records (kind, name, body) VALUES (?, ?, ?)');
  const remove = db.prepare('DELETE FROM records WHERE kind = ? AND name = ?');
  const list = db.prepare(
    'SELECT body FROM records WHERE kind = ?1 AND substr(name, 1, length(?2)) = ?2 ORDER BY name',
  );
  const read = (row: unknown): Record => JSON.parse((row as { body: string }).body);
  return {
    get: (name) => {
      const row = find.get(kind, name);
      return row && read(row);
    },
    put: (name, record) => {
      write.run(kind, name, JSON.stringify(record));
    },
    remove: (name) => {
      remove.run(kind, name);
    },
    list: (prefix) => list.all(kind, prefix).map(read),
  };
};

/** A name of a rule, target, connection or destination. */
export const nameSchema = z.string().regex(/^[.\-_A-Za-z0-9]{1,64}$/, 'Not a name.');

/** The key of a rule on its bus. Names contain no bar. */
export const ruleKey = (bus: string, rule: string): string => `${bus}|${rule}`;

/** The name in an ARN of EventBridge, which may be followed by an id. */
export const nameInArn = (arn: string): string => arn.split('/')[1] ?? '';
