/** The command line of `npm run jest`, for a program that adds words to it. */
export const jest = [
  ...['node', '--experimental-vm-modules', '--no-warnings', 'node_modules/jest/bin/jest.js'],
  '--ci',
] as const;
