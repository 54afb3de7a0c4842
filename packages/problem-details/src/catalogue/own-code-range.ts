/** The codes that are an app's own (ERR-142). */
export const firstOwnCode = 2000;
export const lastOwnCode = 999_999_999;
