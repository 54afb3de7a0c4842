/** Names of the tokens of rules and pages (ERR-109), each written `::NAME::`. */
export const tokenNames = ['CLIENT_IP', 'RAY_ID', 'GEO', 'ERROR_CODE', 'ERROR_NAME', 'ZONE', 'TIMESTAMP'] as const;

export type TokenName = (typeof tokenNames)[number];

/** Gives the value of a token; nothing if it is unknown. It may throw. */
export type TokenSource = (name: TokenName) => string | null | undefined | Promise<string | null | undefined>;
