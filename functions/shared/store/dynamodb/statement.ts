import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';

/** One part of a TransactWriteItems. */
export type Statement = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

export type PutStatement = NonNullable<Statement['Put']>;
