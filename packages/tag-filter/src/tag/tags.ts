/**
 * The tags of a resource: values by their keys. Own members alone count, so `__proto__` and `constructor` are keys like
 * others; `JSON.parse` and `Object.fromEntries` make such objects (TAG-052).
 */
export type Tags = Readonly<Record<string, string>>;
