import type { DatabaseObject } from './worker.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      readonly DATABASE: DurableObjectNamespace<DatabaseObject>;
      readonly PACKS: R2Bucket;
    }
  }
}
