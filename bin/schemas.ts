import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { messageSchemas } from '../functions/shared/schema/event-message.ts';

/** Writes the JSON Schemas of the messages that partners' endpoints receive; `npm run schemas` formats them as well. */
const folder = join(import.meta.dirname, '..', 'functions', 'shared', 'schema', 'events');
mkdirSync(folder, { recursive: true });
for (const [file, schema] of Object.entries(messageSchemas())) {
  writeFileSync(join(folder, file), `${JSON.stringify(schema, null, 2)}\n`);
}
