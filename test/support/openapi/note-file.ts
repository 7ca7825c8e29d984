import { expect } from '@jest/globals';
import { noteFile } from './seen.ts';

/** Before each file of the e2e suite: only where all of them ran can the run say what none has met. */
noteFile(expect.getState().testPath ?? '');
