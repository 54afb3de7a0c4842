import { expect, it } from 'vitest';
import { customErrors } from '../../src/custom/custom-errors.ts';
import { cloudflare } from '../../src/dialect/cloudflare.ts';
import { neutral } from '../../src/dialect/neutral.ts';
import { createPlatformErrors } from '../../src/response/create.ts';
import { requestForJson } from './responses.ts';

it('ERR-008: each dialect has its own box tokens, and those of the other stay text', async () => {
  const all = [cloudflare, neutral].flatMap(({ boxTokens }) => [boxTokens.below1000, boxTokens.from1000]).join('\n');
  const left = async (dialect: typeof neutral, code: number): Promise<string[]> => {
    const pages = { '500_errors': all, '1000_errors': all };
    const errors = createPlatformErrors({ dialect, customErrors: customErrors({ pages }, dialect) });
    return (await (await errors.respond(requestForJson(), code)).text()).match(/::\w+::/g) ?? [];
  };
  const [of500s, of1000s] = ['::CLOUDFLARE_ERROR_500S_BOX::', '::CLOUDFLARE_ERROR_1000S_BOX::'];
  const [plain500s, plain1000s] = ['::PLATFORM_ERROR_500S_BOX::', '::PLATFORM_ERROR_1000S_BOX::'];
  expect(await left(neutral, 522)).toEqual([of500s, of1000s, plain1000s]);
  expect(await left(neutral, 1015)).toEqual([of500s, of1000s, plain500s]);
  expect(await left(cloudflare, 522)).toEqual([of1000s, plain500s, plain1000s]);
  expect(await left(cloudflare, 1015)).toEqual([of500s, plain500s, plain1000s]);
});
