/** Maximum number of `tag` parameters in a request (TAG-135). */
export const tagFiltersMax = 20;

/** Maximum number of values in a filter (TAG-136). */
export const filterValuesMax = 10;
