import type { Log } from '../shared/runtime/logger.ts';
import { asCustomResource, type CustomResourceDeps, type CustomResourceEvent } from './custom-resource.ts';
import type { RotationEvent } from './rotation-steps.ts';

export type HandlerDeps = Pick<CustomResourceDeps, 'putResponse' | 'isResponseAddress'> & {
  /** Creates the keys that are missing. */
  create: () => Promise<void>;
  step: (event: RotationEvent) => Promise<void>;
  log: Log;
};

/** CloudFormation asks for missing keys, Secrets Manager for the steps of a rotation. */
export const createHandler = ({ create, step, log, ...response }: HandlerDeps) => {
  const reportFault = (fault: unknown) => log('keysFailed', {}, fault);
  const asked = asCustomResource({ work: create, ...response, reportFault });
  return async (event: CustomResourceEvent | RotationEvent): Promise<void> => {
    if (!('Step' in event)) return asked(event);
    try {
      await step(event);
    } catch (fault) {
      reportFault(fault);
      throw fault;
    }
  };
};
