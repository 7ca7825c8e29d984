/** Where the two services stand in the kept document; a stage that serves it puts its own addresses there. */
export const addresses = {
  baseUrl: 'https://api.transactions.example',
  authUrl: 'https://auth.transactions.example',
};
