/** The release of the kit, as `package.json` has it; part of the agent string (REPO-022). */
export const version = '0.1.0';
