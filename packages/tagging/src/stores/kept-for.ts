/** Minimum time in milliseconds for which a position is stored: twice the time that a cursor must work (TAG-080). */
export const keptFor: number = 48 * 60 * 60 * 1000;
