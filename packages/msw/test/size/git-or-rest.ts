/** Modules that a mock of one area has no use for: Git, the rest of the service, and libraries. */
export const gitOrRest: RegExp =
  /packages\/git\/|node_modules|packages\/hosting\/src\/(?:repos|git|content|forks|imports)\//;
