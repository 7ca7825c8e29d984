import { openPrivateDatabase, type PrivateDatabase } from './private-database.ts';

/** The database of bus and queues, written before anything is acknowledged, so that nothing is lost (RUN-1). */
export type MessagesFile = PrivateDatabase;

export const openMessagesFile = (path: string): MessagesFile => openPrivateDatabase(path, tables);

const tables = `
  CREATE TABLE IF NOT EXISTS records (
    kind TEXT, name TEXT, body TEXT NOT NULL,
    PRIMARY KEY (kind, name)
  ) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    destination TEXT NOT NULL, ruleArn TEXT NOT NULL, targetId TEXT NOT NULL,
    target TEXT NOT NULL, event TEXT NOT NULL,
    acceptedMs INTEGER NOT NULL, dueMs INTEGER NOT NULL, attempts INTEGER NOT NULL DEFAULT 0,
    targetRemoved INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS dueDeliveries ON deliveries (destination, dueMs);
  CREATE INDEX IF NOT EXISTS deliveriesOfTarget ON deliveries (ruleArn, targetId);
  CREATE INDEX IF NOT EXISTS undeliverable ON deliveries (id) WHERE targetRemoved = 1;
  CREATE TABLE IF NOT EXISTS messages (
    position INTEGER PRIMARY KEY AUTOINCREMENT,
    queue TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, attributes TEXT NOT NULL,
    sentMs INTEGER NOT NULL, visibleMs INTEGER NOT NULL,
    receipt TEXT, receives INTEGER NOT NULL DEFAULT 0, firstReceivedMs INTEGER,
    groupId TEXT, deduplicationId TEXT
  );
  CREATE INDEX IF NOT EXISTS visibleMessages ON messages (queue, visibleMs);
  CREATE INDEX IF NOT EXISTS receivedMessages ON messages (receipt);
  CREATE TABLE IF NOT EXISTS deduplications (
    queue TEXT, deduplicationId TEXT, messageId TEXT NOT NULL, sequenceNumber TEXT NOT NULL, sentMs INTEGER NOT NULL,
    PRIMARY KEY (queue, deduplicationId)
  ) WITHOUT ROWID;
`;
