import { configOf } from '../../lib/config.ts';
import { spanText } from '../../lib/span-text.ts';

/** How long a transaction rests before its changes are sent: `two minutes`. */
export const dormancyText = spanText(configOf('production').eventTimes.dormancySeconds);
