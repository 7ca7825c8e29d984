import type { DebouncePartition, PartnerPartition, RequestPartition } from '../stores/table.ts';

/**
 * The rights of commands of the operator's tool: actions by place, which is a resource by its name in the template, an index,
 * or partitions of a table. Each command group declares its rights, and the role has all of them (RUN-9).
 */
export type OperatorRights = { readonly [Place in keyof Actions]?: readonly Actions[Place][] };

/** The resources that commands may use. */
export type OperatorResource = keyof Actions extends infer Place
  ? Place extends `${infer Table}/${string}`
    ? Table
    : Place
  : never;

type Write = 'DeleteItem' | 'PutItem' | 'UpdateItem';
type OnItems = 'BatchGetItem' | 'GetItem' | 'Query' | Write;

/**
 * No command can delete audit records (S-28). The tool itself must not overwrite one, since IAM does not distinguish that from
 * a new item. No command can read webhook signatures (S-66) or private keys (S-23).
 */
type Actions = Record<'Debounce' | 'Listing' | 'Transactions', OnItems | 'ConditionCheckItem' | 'Scan'> &
  Record<`Debounce/${DebouncePartition}`, OnItems | 'ConditionCheckItem'> &
  Record<'Requests', 'Scan'> &
  Record<`Requests/${RequestPartition}`, OnItems> &
  Record<`Partners/${Exclude<PartnerPartition, 'AUDIT#*' | 'WEBHOOK#*'> | 'STOREFRONTS'}`, OnItems> &
  Record<'Partners/WEBHOOK#*', Write> &
  Record<'Audit/ERASURES' | 'Audit/RESTORE', OnItems> &
  Record<'Audit/AUDIT#*' | 'Audit/DONE#*' | 'Partners/AUDIT#*', 'PutItem' | 'Query'> &
  Record<'EndpointKeeperRequests', 'SendMessage'> &
  Record<'PartnerBusDeadLetters', 'DeleteMessage' | 'GetQueueAttributes' | 'GetQueueUrl' | 'ReceiveMessage'> &
  Record<'AccessKeys' | 'SessionKeys', 'RotateSecret'> &
  Record<'Pepper', 'GetSecretValue' | 'RotateSecret'>;
