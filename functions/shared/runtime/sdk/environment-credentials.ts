type Credentials = { accessKeyId: string; secretAccessKey: string; sessionToken?: string };

/**
 * Replaces `@aws-sdk/credential-provider-node` in bundles. A function's credentials are always in its environment. The
 * chain that looks elsewhere (files, SSO, instance metadata) is a third of the bundle.
 */
export const defaultProvider =
  (_init?: unknown, source: Record<string, string | undefined> = process.env) =>
  async (): Promise<Credentials> => {
    const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = source;
    if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY)
      throw new Error('No AWS credentials in the environment');
    return {
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      ...(AWS_SESSION_TOKEN && { sessionToken: AWS_SESSION_TOKEN }),
    };
  };
