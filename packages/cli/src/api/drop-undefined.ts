type Undefinable<Members> = { [Name in keyof Members]: undefined extends Members[Name] ? Name : never }[keyof Members];

type Defined<Members> = Omit<Members, Undefinable<Members>> & {
  [Name in Undefinable<Members>]?: Exclude<Members[Name], undefined>;
};

/** Leaves out the members that are undefined, such as those of options that the user left out. */
export function dropUndefined<const Members extends object>(members: Members): Defined<Members> {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Defined<Members>;
}
