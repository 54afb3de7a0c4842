import { env } from 'cloudflare:workers';
import { testTagStore } from '@packhouse/tagging/contract';
import { accountPorts } from '../../src/calls/account-ports.ts';
import { remotePort } from '../../src/calls/remote-port.ts';
import { newUsage } from '../../src/request/usage.ts';

testTagStore('workerd, calls of an object', () => {
  const fixture = crypto.randomUUID();
  return {
    stores: (account) => {
      const stub = () => env.CATALOGS.getByName(`${fixture}/${account}`);
      return remotePort(accountPorts, 'tags', { place: account, stub, usage: newUsage() });
    },
    close: () => undefined,
  };
});
