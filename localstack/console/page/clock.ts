import { button, byId, element, metaOf, setText } from './dom.ts';
import { dateText, spanText } from './time.ts';

const rest = Number(metaOf('rest-seconds'));

/** What the clock can be moved on by, as the stage knows it. */
const moves = [
  [`+${spanText(rest * 1000)}`, rest],
  ['+1 h', 3_600],
  ['+25 h', 90_000],
  ['+31 d', 2_678_400],
] as const;

/** The time of the stage, how far it was moved on, and the buttons that do so. */
export const showClock = (press: (action: object) => void) => {
  const time = element('span', { class: 'time' });
  const ahead = element('span', { class: 'quiet' });
  const buttons = moves.map(([label, seconds]) => button(label, () => press({ do: 'clock', seconds })));
  byId('clock').append(time, ahead, ...buttons);
  return ({ nowMs, aheadMs }: { nowMs: number; aheadMs: number }) => {
    setText(time, dateText(nowMs));
    setText(ahead, aheadMs === 0 ? 'as on this machine' : `${spanText(aheadMs)} ahead of this machine`);
  };
};
