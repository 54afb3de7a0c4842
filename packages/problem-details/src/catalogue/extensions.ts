/** Value of a member `x_...` that an own code adds: what JSON and every YAML reader read alike. */
export type ExtensionValue = string | number | boolean;

/** Members that an own code adds to its problems (ERR-035). */
export type Extensions = Readonly<Record<`x_${string}`, ExtensionValue>>;
