/** How long a place of a list is kept at least, in milliseconds: twice what a cursor must work for (TAG-080). */
export const keptFor: number = 48 * 60 * 60 * 1000;
