import { env } from 'cloudflare:workers';
import { testTagStore } from '@packhouse/tagging/contract';
import { RemoteTagStore } from '../../src/calls/remote-tag-store.ts';
import { newUsage } from '../../src/service/usage.ts';

testTagStore('workerd, calls of an object', () => {
  const fixture = crypto.randomUUID();
  return {
    stores: (account) => {
      const stub = () => env.CATALOGS.getByName(`${fixture}/${account}`);
      return new RemoteTagStore({ account, stub, usage: newUsage() });
    },
    close: () => undefined,
  };
});
