import { openTemporaryFolder } from './temporary-folder.mjs';

export default () => {
  globalThis.closeTemporaryFolder = openTemporaryFolder();
};
