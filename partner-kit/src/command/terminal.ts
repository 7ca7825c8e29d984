/** How a command talks to whoever runs it. */
export type Terminal = {
  /** Prints the result, and nothing else. */
  print: (text: string) => void;
  /** Prints progress and warnings, apart from the result. */
  note: (text: string) => void;
};

/** Text with its control characters replaced: names come from data, and could otherwise repaint the terminal. */
export const visible = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cf}]/gu, (character) => (character === '\n' ? character : '?'));
