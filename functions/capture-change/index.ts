import { createDebounceTable } from '../shared/events/table.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { allLines } from '../shared/runtime/log-catalogue.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { createDocumentClient } from '../shared/store/dynamodb/client.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment(['DEBOUNCE_TABLE', 'DORMANCY_SECONDS']);

export const handler = createHandler({
  recordChange: createDebounceTable({
    documents: createDocumentClient(),
    debounceTable: environment.DEBOUNCE_TABLE,
  }).recordChange,
  clock,
  log: createLog('capture-change', allLines),
  dormancyMs: Number(environment.DORMANCY_SECONDS) * 1000,
});
