import type { PartnerPartition, RequestPartition } from './constructs/table.ts';

/**
 * What commands of the operator's tool may do: the actions at each place, which is a resource by its name in the template, or
 * an index or some partitions of a table. Each group of commands declares its own, and the role has them together (RUN-9).
 */
export type OperatorRights = { readonly [Place in keyof Actions]?: readonly Actions[Place][] };

/** The resources that commands may ask. */
export type OperatorResource = keyof Actions extends infer Place
  ? Place extends `${infer Table}/${string}`
    ? Table
    : Place
  : never;

type Write = 'DeleteItem' | 'PutItem' | 'UpdateItem';
type OnItems = 'BatchGetItem' | 'GetItem' | 'Query' | Write;

/**
 * A record of a command is added and never removed (S-28); that it is not written over is the tool's doing: to IAM, PutItem is
 * one right. The value of a webhook's signature is written and never read (S-66), and so is a private key (S-23).
 */
type Actions = Record<'Debounce' | 'Listing' | 'Transactions', OnItems | 'ConditionCheckItem' | 'Scan'> &
  Record<'Debounce/index/byPartner' | 'Debounce/index/byTransaction', 'Query'> &
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
