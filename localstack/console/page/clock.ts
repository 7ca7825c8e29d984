import { button, byId, element, metaOf, setText } from './dom.ts';
import type { Press } from './stage.ts';
import { dateText, spanText } from './time.ts';

const rest = Number(metaOf('rest-seconds'));

/** The moves of the clock that the stage allows, and a warning of their loss. */
const moves = [
  [`+${spanText(rest * 1000)}`, rest],
  ['+1 h', 3_600, 'Tokens end.'],
  ['+25 h', 90_000, 'Tokens expire, and events that no endpoint accepted are given up.'],
  ['+31 d', 2_678_400, 'Tokens expire; open checkouts and the delivery log are deleted.'],
] as const;

/** Shows the stage's time, how far it was moved on, and the buttons for moves. */
export const showClock = (press: Press) => {
  const time = element('span', { class: 'time' });
  const ahead = element('span', { class: 'quiet' });
  const buttons = moves.map(([label, seconds, loss]) =>
    button(label, () =>
      press(
        { do: 'clock', seconds },
        loss && `Move the clock forward by ${label}? You cannot undo it. ${loss}`,
      ),
    ),
  );
  byId('clock').append(time, ahead, ...buttons);
  return ({ nowMs, aheadMs }: { nowMs: number; aheadMs: number }) => {
    setText(time, dateText(nowMs));
    setText(ahead, aheadMs === 0 ? 'as on this machine' : `${spanText(aheadMs)} ahead of this machine`);
  };
};
