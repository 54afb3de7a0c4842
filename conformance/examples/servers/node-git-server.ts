/**
 * The JavaScript Git server `node-git-server` of npm, which makes a repository when it is first asked for. It starts the
 * programs of stock Git, in version 0 of the protocol alone. Run: `node node-git-server.ts FOLDER PORT`.
 */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Git } from 'node-git-server';

/** Settings of git-config(1) that it leaves to the operator. */
const settings = [
  ['init.defaultBranch', 'main'],
  ['receive.denyDeleteCurrent', 'ignore'],
  ['receive.autogc', 'false'],
  ['receive.fsckObjects', 'true'],
  ['receive.advertisePushOptions', 'true'],
  ['uploadpack.allowFilter', 'true'],
  ['uploadpack.allowAnySHA1InWant', 'true'],
] as const;

/** It never answers some requests (`headerRegex` of its service.js), so silent connections are closed. */
const silenceMax = 15_000;

const [folder = '.', port = '8080'] = process.argv.slice(2);
process.env['GIT_CONFIG_COUNT'] = String(settings.length);
for (const [index, [key, value]] of settings.entries()) {
  process.env[`GIT_CONFIG_KEY_${index}`] = key;
  process.env[`GIT_CONFIG_VALUE_${index}`] = value;
}
const git = new Git(folder, { autoCreate: true });
const server = createServer((request, response) => git.handle(request, response));
server.setTimeout(silenceMax);
// An aborted request is an `error` that nothing handles, which would end the process, and with it all other requests.
process.on('uncaughtException', (error) => console.error(error.message));
// The process that forked this one has ended.
process.on('disconnect', () => process.exit());
server.listen(Number(port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/{name}.git`);
});
