import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperatorDeps } from '../../../bin/operator/deps.ts';
import { runOperator } from '../../../bin/operator/program.ts';
import type { Terminal } from '../../../bin/operator/terminal.ts';
import { refuse } from '../../../functions/shared/domain/outcome.ts';
import type { WebhookSwitch } from '../../../functions/shared/store/partners/webhook-switch.ts';
import { createMemoryAudit } from '../apis/own-changes.ts';
import { onePepper } from '../builders/key-rings.ts';
import { createMemoryAuditRecords } from '../memory/audit-records.ts';
import { createMemoryDeadLetters } from '../memory/dead-letters.ts';
import { createMemoryDebounceTable } from '../memory/debounce-table.ts';
import { createMemoryRings } from '../memory/key-rings.ts';
import { createMemoryNumericIds } from '../memory/numeric-ids.ts';
import { createMemoryPartners, createMemoryWebhookSwitch } from '../memory/partners.ts';
import { createMemoryPersonalData } from '../memory/personal-data.ts';
import { createMemoryRecovery, emptyTrail } from '../memory/recovery.ts';
import { createMemorySentLog } from '../memory/sent-log.ts';
import { createMemorySessions } from '../memory/sessions.ts';
import { createMemoryStorefronts } from '../memory/storefronts.ts';
import { createMemoryTransactions } from '../memory/transactions.ts';
import { standInKeepEndpoints } from './stand-in-keep-endpoints.ts';

export const pepper = 'p'.repeat(64);
export const now = new Date('2026-11-21T12:00:00Z');

/** Whose credentials the tool has. */
const callerArn = 'arn:aws:sts::111122223333:assumed-role/Operator/ada@example.org';

const noFunction = () => Promise.reject(new Error('A local stage has no functions'));
const noDrift = { transactions: 0, entries: 0, counters: 0, entryDrift: [], counterDrift: [] };

/**
 * The operator's stores in memory, with the audit records, and a stand-in of `keep-endpoints` that works while the tool waits.
 * Each random byte is one more than the last.
 */
export const memoryDeps = (changes: Partial<OperatorDeps> = {}) => {
  const audit = createMemoryAudit();
  const { records, done } = audit;
  let byte = 0;
  const nextByte = () => {
    byte = (byte + 1) % 248;
    return byte;
  };
  const clock = changes.now ?? (() => now);
  const transactions = createMemoryTransactions();
  const debounce = createMemoryDebounceTable(clock);
  const sessions = createMemorySessions();
  const webhookSwitch = changes.webhookSwitch ?? createMemoryWebhookSwitch();
  const { signatureOf, ...partners } = createMemoryPartners();
  const keeper = standInKeepEndpoints({
    ...{ partners: changes.partners ?? partners, webhookSwitch, now: clock },
  });
  const restoredSwitches = new Map<string, WebhookSwitch>();
  const deps: OperatorDeps = {
    askCaller: async () => ({ arn: callerArn }),
    webhookSwitchOf: (table) => {
      const found = restoredSwitches.get(table) ?? createMemoryWebhookSwitch();
      restoredSwitches.set(table, found);
      return found;
    },
    storefronts: createMemoryStorefronts(),
    transactions,
    personalData: createMemoryPersonalData(transactions, sessions),
    deadLetters: createMemoryDeadLetters(),
    sessions,
    ids: createMemoryNumericIds(),
    listing: { audit: async () => noDrift, repair: async () => ({ ...noDrift, countersLeft: 0 }) },
    audit,
    trail: emptyTrail,
    auditRecords: createMemoryAuditRecords(records, ({ command }) => done.includes(command)),
    recovery: createMemoryRecovery(transactions),
    debounce,
    sentLog: createMemorySentLog(debounce),
    endpointRequests: keeper.requests,
    endpointRules: { allowsLoopback: false },
    events: { stage: 'local', dormancyMs: 120_000 },
    functions: [],
    concurrency: { reserved: noFunction, reserve: noFunction },
    rings: createMemoryRings(),
    requestRotation: async () => refuse('rotation-unfinished'),
    readPeppers: async () => onePepper(pepper),
    readUserKey: async () => 'the key of users',
    random: (size) => Uint8Array.from({ length: size }, nextByte),
    ...changes,
    ...{ partners: keeper.partners, webhookSwitch, now: clock },
    wait: async (ms) => {
      await keeper.work();
      await changes.wait?.(ms);
    },
  };
  return { deps, records, done, keeper, sessions, signatureOf, debounce };
};

/** A folder for one test file, with a stack.json that the tool accepts. */
export const aWorkspace = () => {
  const folder = mkdtempSync(join(tmpdir(), 'operator-'));
  const stackFile = join(folder, 'stack.json');
  const nowhere = 'http://127.0.0.1:1';
  const endpoints = { dynamodb: nowhere, secretsmanager: nowhere, sqs: nowhere };
  const variables = {
    ...{ TRANSACTIONS_TABLE: 'T', LISTING_TABLE: 'L', PARTNERS_TABLE: 'P', DEBOUNCE_TABLE: 'D' },
    ...{ REQUESTS_TABLE: 'I', AUDIT_TABLE: 'U', STAGE: 'local', DORMANCY_SECONDS: '2' },
    ...{ PEPPER_SECRET: 'S', ACCESS_KEYS_SECRET: 'A', SESSION_KEYS_SECRET: 'E' },
    ...{ DEAD_LETTER_QUEUE_ARN: 'Q', ENDPOINTS_QUEUE_URL: `${nowhere}/Endpoints` },
  };
  writeFileSync(stackFile, JSON.stringify({ operator: { endpoints, variables } }));
  return { folder, stackFile };
};

/** The outputs of a stage in an account, where each output is its own name unless `more` says otherwise. */
export const writeOutputs = (folder: string, account: string, more: object = {}) => {
  const names = [
    ...['TransactionsTable', 'ListingTable', 'PartnersTable', 'DebounceTable', 'RequestsTable', 'AuditTable'],
    ...['PepperSecret', 'AccessKeysSecret', 'SessionKeysSecret', 'StageName', 'EndpointsQueueUrl'],
  ];
  const stack = {
    ...Object.fromEntries(names.map((name) => [name, name])),
    ...{ DormancySeconds: '120', DeadLetterQueueArn: `arn:aws:sqs:eu-west-2:${account}:DeadLetters` },
    ...{ Functions: '', ...more },
  };
  const outputs = join(folder, 'outputs.json');
  writeFileSync(outputs, JSON.stringify({ stack }));
  return outputs;
};

export type Said = { exitCode: number; printed: string; noted: string; asked: string[] };

/** A terminal that records its output; `typed` is the answer of a person, and without it there is no person. */
export const aTerminal = (typed?: string) => {
  const said = { printed: '', noted: '', asked: [] as string[] };
  const terminal: Terminal = {
    print: (text) => {
      said.printed += text;
    },
    printEach: async (pieces) => {
      for await (const piece of pieces) said.printed += piece;
    },
    note: (text) => {
      said.noted += text;
    },
    isInteractive: typed !== undefined,
    canRedraw: false,
    ask: async (question) => {
      said.asked.push(question);
      return typed ?? '';
    },
  };
  return { terminal, said };
};

/** Runs one command line over the given stores, at such a terminal. */
export const operate = async (
  deps: OperatorDeps,
  stackFile: string,
  args: string[],
  typed?: string,
  environment = {},
): Promise<Said> => {
  const { terminal, said } = aTerminal(typed);
  const options = { terminal, user: 'tester', stackFile, environment, connect: () => deps };
  const exitCode = await runOperator(args, options);
  return { exitCode, ...said };
};
