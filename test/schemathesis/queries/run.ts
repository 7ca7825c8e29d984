import type { Report } from '../../deploy/report.ts';
import type { Operation } from '../../support/openapi/operations.ts';
import type { TestStage } from '../../support/stage/stage.ts';
import type { Callers } from '../place.ts';
import { askQueries, type Counts, type Send } from './ask.ts';
import { bracketed } from './parameters.ts';

type Run = {
  report: Report;
  stage: Pick<TestStage, 'baseUrl'>;
  callers: Pick<Callers, 'token' | 'session' | 'origin'>;
  cases: number;
};

/** Asks a stage's lists what other generators do not write: brackets, repeated, nested and encoded in all ways. */
export const askAllQueries = async ({ report, stage, callers, cases }: Run): Promise<void> => {
  const all: Counts[] = [];
  for (const operation of bracketed)
    await report.prove(`OA-6 every query of ${operation.id} is answered as described`, async () =>
      all.push(await askQueries(operation, sendAs(stage, callers), cases)),
    );
  const sum = (comes: keyof Counts) => all.reduce((so, counts) => so + counts[comes], 0);
  console.log(
    `Queries:    ${cases * bracketed.length} of ${bracketed.length} operations with bracketed parameters: ` +
      `${sum('answer')} to answer, ${sum('refusal')} to refuse, ${sum('too-much')} too long`,
  );
};

const sendAs =
  ({ baseUrl }: Pick<TestStage, 'baseUrl'>, { token, session, origin }: Run['callers']): Send =>
  async ({ path, method }: Operation, query) => {
    const target = `${path}?${query}`;
    const asSession = { Authorization: `Bearer ${session}`, Origin: origin };
    const headers = path.startsWith('/api/v2/') ? { Authorization: `Bearer ${token}` } : asSession;
    const response = await fetch(new URL(target, baseUrl), { method, headers });
    return {
      ...{ method, target, sent: { contentType: '', text: '' } },
      answer: { status: response.status, headers: response.headers, text: await response.text() },
    };
  };
