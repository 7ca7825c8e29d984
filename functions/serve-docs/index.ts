import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProblemWriter } from '../shared/http/problem.ts';
import { respond } from '../shared/middleware/respond.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { requestLines } from '../shared/runtime/request-lines.ts';
import type { Site } from './document.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment(['BASE_URL', 'AUTH_URL']);
// The bundler puts it beside the bundle.
const site: Site = JSON.parse(readFileSync(join(import.meta.dirname, 'site.json'), 'utf8'));

export const handler = respond(
  {
    log: createLog('serve-docs', requestLines),
    clock,
    writeProblem: createProblemWriter(environment.BASE_URL),
  },
  createHandler({ site, baseUrl: environment.BASE_URL, authUrl: environment.AUTH_URL }),
);
