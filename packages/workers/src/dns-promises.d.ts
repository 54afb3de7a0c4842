/** What of `node:dns/promises` is used here: `@types/node` as a whole would type globals that Workers do not have. */
declare module 'node:dns/promises' {
  export function resolve4(host: string): Promise<string[]>;
  export function resolve6(host: string): Promise<string[]>;
}
