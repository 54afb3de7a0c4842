import { fc, test } from '@fast-check/vitest';
import { describe, expect } from 'vitest';
import { covers, includesPermission, reachOf, tokenPermissions } from './api-token-reach.ts';

const permission = fc.constantFrom(...tokenPermissions);
const namespace = fc.constantFrom('a', 'A', 'b');
const reach = fc
  .oneof(fc.constant({}), fc.record({ namespace }), fc.record({ namespace, repo: fc.constantFrom('r1', 'r2') }))
  .map(reachOf);

describe('permissions and reaches of API tokens', () => {
  test.prop([permission, permission, permission])(
    'REPO-362: permissions are ordered: each includes itself, and what one includes its includers do',
    (one, two, three) => {
      expect(includesPermission(one, one)).toBe(true);
      if (includesPermission(one, two) && includesPermission(two, three)) {
        expect(includesPermission(one, three)).toBe(true);
      }
      if (includesPermission(one, two) && includesPermission(two, one)) expect(one).toBe(two);
      if (includesPermission(one, two) && one.startsWith('tag.')) expect(two).toMatch(/^tag\./);
    },
  );

  test.prop([reach, reach, reach])(
    'REPO-365: reaches are ordered, the account has all of them, and two namespaces or repos have nothing in common',
    (one, two, three) => {
      expect(covers(one, one)).toBe(true);
      expect(covers(reachOf({}), one)).toBe(true);
      if (covers(one, two) && covers(two, three)) expect(covers(one, three)).toBe(true);
      if (covers(one, two) && covers(two, one)) expect(one).toEqual(two);
      // What is in both is in the smaller one of them.
      if (covers(one, three) && covers(two, three)) expect(covers(one, two) || covers(two, one)).toBe(true);
    },
  );
});
