import { startStage } from '../stage/stage.ts';
import { offer } from './offer.ts';

/**
 * A stage with the demo data for all files of a run: it starts in the run's own process when the first file asks for it, and
 * a run that needs none starts none.
 */
export const offerStage = () =>
  offer(
    // Tests wait for ticks, which are ten seconds apart by default.
    () => startStage({ demo: true, args: ['--tick-seconds', '1'] }),
    ({ baseUrl, authUrl, dataDir, stack }) => ({ baseUrl, authUrl, dataDir, stack }),
  );
