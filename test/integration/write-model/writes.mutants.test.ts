import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from '@jest/globals';
import type { StoredTransaction } from '../../../functions/shared/domain/transaction/transaction.ts';
import { useEngine } from '../../support/engine/use-engine.ts';
import { type ProgramOptions, runProgram } from './model-program.ts';

const maximumPrograms = 60;

const engine = useEngine();
let worlds = 0;

type Put = { ConditionExpression?: string; Item?: Record<string, unknown> };
type Sent = { TransactItems?: { Put?: Put }[] } & Put;
type Send = (args: { input: Sent }) => Promise<{ output: object }>;

const intercept = (
  documents: DynamoDBDocumentClient,
  change: (input: Sent, send: (input: Sent) => ReturnType<Send>) => ReturnType<Send>,
) =>
  documents.middlewareStack.add(
    (next) =>
      ((args: { input: Sent }) =>
        change(args.input, (input) => (next as unknown as Send)({ ...args, input }))) as never,
    { step: 'initialize', priority: 'normal', name: 'mutant' },
  );

/** Sends Puts without the condition that `isMeant` knows. */
const withoutCondition = (isMeant: (condition: string) => boolean) => (documents: DynamoDBDocumentClient) => {
  const damaged = (put: Put) => {
    const { ConditionExpression = '', ...others } = put;
    if (!isMeant(ConditionExpression)) return put;
    const {
      ExpressionAttributeNames: _,
      ExpressionAttributeValues: __,
      ...bare
    } = others as Record<string, unknown>;
    return bare as Put;
  };
  intercept(documents, (input, send) =>
    send(
      input.TransactItems
        ? {
            ...input,
            TransactItems: input.TransactItems.map((part) => (part.Put ? { Put: damaged(part.Put) } : part)),
          }
        : damaged(input),
    ),
  );
};

/** The transaction first, its listing and record behind it; now and then the process dies in between. */
const inTwoWrites = (documents: DynamoDBDocumentClient) => {
  let writes = 0;
  intercept(documents, async (input, send) => {
    const [first, ...others] = input.TransactItems ?? [];
    if (!first || others.length === 0) return send(input);
    const { ClientRequestToken: _, ...tokenless } = input as Sent & { ClientRequestToken?: string };
    const answer = await send({ ...tokenless, TransactItems: [first] });
    writes += 1;
    if (writes % 5 === 0) throw new TypeError('dead');
    await send({ ...tokenless, TransactItems: others });
    return answer;
  });
};

const withoutMarkers = (documents: DynamoDBDocumentClient) =>
  intercept(documents, (input, send) => {
    const isMarker = ({ Put }: { Put?: Put }) => Put?.Item?.sk === 'COMPLETED';
    const { TransactItems: items } = input;
    return send(items ? { ...input, TransactItems: items.filter((item) => !isMarker(item)) } : input);
  });

const asIncomplete = (stored: StoredTransaction): StoredTransaction => ({
  ...stored,
  transaction: { ...stored.transaction, status: 0, editable: true },
});

/** The first seed is one that shows it, where most do not. */
test.each<{ name: string; wrong: Pick<ProgramOptions, 'damage' | 'misread'>; firstSeed?: number }>([
  {
    name: 'the condition on the version',
    wrong: { damage: withoutCondition((text) => text.startsWith('#version = :version')) },
  },
  {
    name: 'the lock of an idempotency key',
    wrong: { damage: withoutCondition((text) => text.includes('#expires')) },
    firstSeed: 35,
  },
  { name: 'one write for item and listing', wrong: { damage: inTwoWrites } },
  { name: 'the marker of a completion', wrong: { damage: withoutMarkers } },
  { name: 'the condition on the status', wrong: { misread: asIncomplete } },
])(
  'without $name the model finds it',
  async ({ name, wrong, firstSeed = 1 }) => {
    let programs = 0;
    let findings: string[] = [];

    while (findings.length === 0 && programs < maximumPrograms) {
      const seed = firstSeed + programs;
      programs += 1;
      worlds += 1;
      findings = (await runProgram({ engine, seed, suffix: `-${worlds}`, ...wrong })).findings;
    }

    console.info(`without ${name}: program ${programs} shows ${findings[0]?.slice(0, 160)}`);
    expect(findings).not.toEqual([]);
  },
  120_000,
);
