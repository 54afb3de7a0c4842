/** The packages that hold Node name their platform as a string, which pnpm takes for none: it would install all of them. */
const readPackage = (manifest) => {
  if (!/^node-(?:bin-)?(?:darwin|linux|win)-/.test(manifest.name)) return manifest;
  return { ...manifest, os: [manifest.os].flat(), cpu: [manifest.cpu].flat() };
};

export const hooks = { readPackage };
