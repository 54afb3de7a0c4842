/**
 * Tags of a resource: values by key. Only own members count, so `__proto__` and `constructor` are ordinary keys.
 * `JSON.parse` and `Object.fromEntries` make such objects (TAG-052).
 */
export type Tags = Readonly<Record<string, string>>;
