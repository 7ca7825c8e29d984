/** The part of simple-oauth2, which has no types of its own, that tests use. */
declare module 'simple-oauth2' {
  export class ClientCredentials {
    constructor(options: {
      client: { id: string; secret: string };
      auth: { tokenHost: string; tokenPath: string };
      options?: {
        authorizationMethod: 'header' | 'body';
        credentialsEncodingMode?: 'strict' | 'loose';
      };
    });
    getToken(params: { scope: string }): Promise<{ token: Record<string, unknown> }>;
  }
}
