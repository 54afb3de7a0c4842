export { benchHistory, historyStream, smallHistory, type HistorySizes } from './generate/history.ts';
export { manyRefsStream } from './generate/many-refs.ts';
export { generatedRepository, repositoryWithManyRefs, writeGeneratedRepository } from './generate/repository.ts';
