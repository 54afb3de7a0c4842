import type { ObjectNamespace } from '../../src/environment/environment.ts';
import type { DatabaseObject } from './worker.ts';

declare global {
  namespace Cloudflare {
    interface Env {
      readonly CATALOGS: ObjectNamespace<string>;
      readonly DATABASE: DurableObjectNamespace<DatabaseObject>;
      readonly PACKS: R2Bucket;
    }
  }
}
