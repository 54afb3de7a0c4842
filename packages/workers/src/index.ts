/** Release of the schema that the objects of this package keep. */
export const layoutVersion = 1;
