import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metricCatalogue } from '../../../functions/shared/runtime/metric-catalogue.ts';
import { configOf } from '../../../lib/config.ts';
import { root } from '../../support/repository.ts';
import type { Measured } from './measured.ts';
import type { MonthFacts } from './month.ts';
import type { PageFacts } from './page.ts';
import { stageParts } from './stage-parts.ts';

/** The units that were measured last. */
export const measuredFile = join(root, 'test/bench/cost/measured.json');

/** What the page is made from: kept figures, and what the templates have. */
export const pageFacts = (): PageFacts => ({
  staging: factsOf('staging'),
  production: factsOf('production'),
});

const factsOf = (stage: 'staging' | 'production'): MonthFacts => ({
  measured: JSON.parse(readFileSync(measuredFile, 'utf8')) as Measured,
  parts: stageParts(stage),
  pollsADay: 86_400 / configOf(stage).eventTimes.tickSeconds,
  idleMetrics:
    Object.values(metricCatalogue).filter(({ statistic }) => statistic === 'Maximum').length -
    delays +
    tokenAnswers,
});

/** The delays of updates and completions are reported where something was sent. */
const delays = 2;
/** `FaultyAnswers-issue-token`: partners ask for tokens at rest, too. */
const tokenAnswers = 1;
