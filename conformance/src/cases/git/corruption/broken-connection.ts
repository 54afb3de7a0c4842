import { suite, type Suite } from '../../../core/case.ts';
import { expectReport, taken } from '../../../tools/push-reports.ts';
import { same } from '../../../tools/same.ts';
import { pushBody, type Remote } from '../../../tools/wire-client.ts';
import { commands, good, repoToCorrupt, stateOf } from './refusal.ts';

/** Sends the beginning of a push, and breaks the connection. */
async function cutOff(repo: Remote, body: Buffer, length: number): Promise<void> {
  const stop = new AbortController();
  let sent = false;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      if (!sent && length > 0) {
        sent = true;
        return controller.enqueue(Uint8Array.from(body.subarray(0, length)));
      }
      // Gives the written bytes time to leave.
      await new Promise((resolve) => setTimeout(resolve, 20));
      stop.abort();
      controller.error(new Error('cable cut'));
    },
  });
  const init = {
    method: 'POST',
    headers: { authorization: `Bearer ${repo.token}`, 'content-type': 'application/x-git-receive-pack-request' },
    body: stream,
    duplex: 'half',
    signal: stop.signal,
  };
  const send = repo.fetch ?? fetch;
  await send(`${repo.remote}/git-receive-pack`, init as RequestInit).then(
    (response) => response.body?.cancel(),
    () => undefined,
  );
}

export const gitCorruptionBrokenConnection: Suite = suite({
  id: 'git/corruption/broken-connection',
  requirements: ['GIT-148', 'GIT-153'],
  level: 'MUST',
  needs: ['streaming'],
  explanation: 'A push whose connection breaks leaves everything as it was, and can be sent again.',
  async run(t) {
    const repo = await repoToCorrupt(t);
    const before = await stateOf(t, repo);
    const body = pushBody(commands, good);
    for (const length of [0, 30, body.length - good.length, body.length - 30, body.length - 1]) {
      await cutOff(repo, body, length);
    }
    same(await stateOf(t, repo), before, 'Refs and record are as before.');
    const refs = commands.map(({ ref }) => ref);
    await expectReport(repo, commands, good, taken(...refs), 'The same push, sent again, is taken.');
  },
});
