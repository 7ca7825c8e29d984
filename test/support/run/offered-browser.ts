import { startChromium } from '../browser/chromium.ts';
import { offer } from './offer.ts';

/** One browser for all files of a run, started as the shared stage is. */
export const offerBrowser = () => offer(startChromium, ({ address }) => ({ address }));
