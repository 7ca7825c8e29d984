import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createProblemWriter } from '../shared/http/problem.ts';
import { respond } from '../shared/middleware/respond.ts';
import { systemClock as clock } from '../shared/runtime/clock.ts';
import { readEnvironment } from '../shared/runtime/environment.ts';
import { createLog } from '../shared/runtime/logger.ts';
import { requestLines } from '../shared/runtime/request-lines.ts';
import { createHandler } from './handler.ts';

const environment = readEnvironment(['BASE_URL', 'AUTH_URL']);

/** The bundler puts the site beside the bundle. Lambda names the folder of the bundle, the embedded stage that of its site. */
const folder = join(process.env.LAMBDA_TASK_ROOT ?? import.meta.dirname, 'site');

const read = (file: string): Promise<string | undefined> =>
  readFile(join(folder, file), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error;
    return undefined;
  });

export const handler = respond(
  {
    log: createLog('serve-docs', requestLines),
    clock,
    writeProblem: createProblemWriter(environment.BASE_URL),
  },
  createHandler({ read, baseUrl: environment.BASE_URL, authUrl: environment.AUTH_URL }),
);
