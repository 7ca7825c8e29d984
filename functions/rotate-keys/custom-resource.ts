/** What CloudFormation sends to a custom resource. A direct invocation has no `ResponseURL`, because no stack waits for it. */
export type CustomResourceEvent = {
  RequestType: 'Create' | 'Update' | 'Delete';
  ResponseURL?: string;
  StackId?: string;
  RequestId?: string;
  LogicalResourceId?: string;
  PhysicalResourceId?: string;
};

/** Sends the response to the address at which CloudFormation waits. */
export type PutResponse = (url: string, body: string) => Promise<void>;

export type CustomResourceDeps = {
  work: () => Promise<void>;
  putResponse: PutResponse;
  /** Whether the address belongs to CloudFormation. */
  isResponseAddress: (url: string) => boolean;
  reportFault: (fault: Error) => void;
};

/** Constant: for a new id CloudFormation would delete the resource and replace it. */
const physicalResourceId = 'signing-keys';

/**
 * Does the work of Create and Update, and reports the result to CloudFormation. Delete does nothing and never fails, so
 * that a stack can always be deleted.
 */
export const asCustomResource =
  ({ work, putResponse: putAnswer, isResponseAddress, reportFault }: CustomResourceDeps) =>
  async (event: CustomResourceEvent): Promise<void> => {
    if (event.ResponseURL !== undefined && !isResponseAddress(event.ResponseURL)) {
      const fault = new Error('The ResponseURL does not belong to CloudFormation');
      reportFault(fault);
      throw fault;
    }
    const failure = event.RequestType === 'Delete' ? undefined : await failureOf(work);
    if (failure) reportFault(failure);
    if (event.ResponseURL) await putAnswer(event.ResponseURL, responseBody(event, failure));
    else if (failure) throw failure;
  };

const failureOf = async (work: () => Promise<void>): Promise<Error | undefined> => {
  try {
    await work();
    return undefined;
  } catch (fault) {
    return fault instanceof Error ? fault : new Error('Unknown fault');
  }
};

/** Names only the kind of a failure: its text may quote what must not appear in a stack's events. */
const responseBody = (event: CustomResourceEvent, failure: Error | undefined) =>
  JSON.stringify({
    Status: failure ? 'FAILED' : 'SUCCESS',
    Reason: failure ? `Signing keys could not be created: ${failure.name}` : 'Signing keys exist',
    PhysicalResourceId: event.PhysicalResourceId ?? physicalResourceId,
    StackId: event.StackId,
    RequestId: event.RequestId,
    LogicalResourceId: event.LogicalResourceId,
  });

/** CloudFormation signs the address for a request without a content type. */
export const putByFetch: PutResponse = async (url, body) => {
  const { ok, status } = await fetch(url, {
    method: 'PUT',
    body,
    headers: { 'Content-Type': '' },
    signal: AbortSignal.timeout(10_000),
  });
  if (!ok) throw new Error(`CloudFormation did not accept the response: ${status}`);
};
