/** Version of the kit, equal to that in `package.json`. Part of the agent string (REPO-022). */
export const version = '0.1.0';
