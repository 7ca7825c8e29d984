import { configOf } from '../../lib/config.ts';
import { spanText } from '../../lib/span-text.ts';

/** The dormancy in words: `two minutes`. */
export const dormancyText = spanText(configOf('production').eventTimes.dormancySeconds);
