/** Most `tag` parameters of a request (TAG-135). */
export const tagFiltersMax = 20;

/** Most values of one filter (TAG-136). */
export const filterValuesMax = 10;
