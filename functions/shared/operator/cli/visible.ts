/** Text comes from data too: control characters would let it repaint the terminal (TH-21). */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : '?'));
