import { SignatureV4 } from '@smithy/signature-v4';

/** Takes the place of `@aws-sdk/signature-v4-multi-region` in bundles: a bus of several regions would need another signature. */
export class SignatureV4MultiRegion extends SignatureV4 {
  static sigv4aDependency() {
    return 'none';
  }
}
