export {
  objectIdAt,
  objectIdBytes,
  parseObjectId,
  writeObjectId,
  zeroObjectId,
  type ObjectId,
} from './object/object-id.ts';
export { fromByteText, toByteText } from './bytes/byte-text.ts';
export { kindName, kindNumber, type GitObject, type KindNumber, type ObjectKind } from './object/kind.ts';
export { resolveHead, type Head } from './refs/head.ts';
export { isValidBranchName, parseRefName, refNameMax, type RefName } from './refs/ref-name.ts';
export { isHidden } from './stored-refs/visible-refs.ts';
export {
  hasPeeled,
  nameAt,
  packedRefsMax,
  packRefs,
  recordsOf,
  type PackedRefs,
  type RefSlice,
} from './refs/packed-refs.ts';
export { readAllRefs } from './stored-refs/read-all-refs.ts';
export { RefReader, type RefReaderOptions } from './stored-refs/ref-reader.ts';
export { retryAllExpired, retryExpired } from './stored-refs/retry-expired.ts';
export { parseGitProtocol, type GitService, type ProtocolVersion, type ServerIdentity } from './wire/capabilities.ts';
export { encodeErrorPacket } from './wire/pkt-line.ts';
export { entryHeaderMax, writeEntryHeader } from './pack/entry-header.ts';
export { MalformedRequestError, RequestRefusedError, RequestTooLargeError } from './wire/request-error.ts';
export {
  CodecError,
  deflatePiece,
  type Codec,
  type Deflater,
  type Inflater,
  type InflateStep,
  type Sha1,
} from './ports/codec.ts';
export {
  newPackId,
  packFiles,
  parsePackId,
  StorageError,
  type ByteRange,
  type FramedPack,
  type PackFile,
  type PackId,
  type PackStore,
  type PackUpload,
} from './ports/pack-store.ts';
export { makingMax, preparedLifetime, type PreparedRecords, type TakenPack } from './ports/prepared-records.ts';
export {
  deletionOr,
  eventBytesMax,
  fewRefsMax,
  keyLifetime,
  keysMax,
  RepoGoneError,
  snapshotTipsMax,
  storedSize,
  type CommitOutcome,
  type KeyedResult,
  type NewPack,
  type PackRecord,
  type PackReplacement,
  type RecordedEvent,
  type RefUpdate,
  type ReplaceOutcome,
  type ReplacingPack,
  type RepoChange,
  type RepoSnapshot,
  type RepoState,
  type RetiredPack,
  type RetiredTip,
  type RowFile,
  type UpdateOutcome,
} from './ports/repo-state.ts';
export type { RefRecord, RefTarget } from './refs/ref-record.ts';
export { refHistoryMax, refNamesMax, refOidsMax, refsPerOid, type RefPage, type RefQuery } from './ports/ref-query.ts';
export { rowPackMax } from './pack/receive/incoming-pack.ts';
export { advertise, type AdvertiseOptions } from './repository/advertise.ts';
export { StorageGoneError, storageTrouble, type StorageTrouble } from './ports/storage-trouble.ts';
export { NotEnoughMemoryError } from './work/memory-error.ts';
export { cacheUsages } from './engine/cache-usages.ts';
export { createGitEngine, type GitEngine, type GitEngineOptions, type GitRepository } from './engine/engine.ts';
export { countedChunks } from './work/counted-chunks.ts';
export { borrowChunks, replyEnd } from './reply/reply-stream.ts';
export { receivePack, type ReceivePackOptions } from './receive-pack/receive-pack.ts';
export type { PushRules } from './receive-pack/push-rules.ts';
export { RepeatedChangeError, type PushOutcome } from './receive-pack/push.ts';
export type { DescribedUpdate } from './receive-pack/describe/describe-updates.ts';
export type { PushedCommit } from './receive-pack/describe/pushed-commit.ts';
export type { Signature } from './commit/commit-body.ts';
export {
  commitFiles,
  type CommitRefusal,
  type CommitResult,
  type FileChange,
  type MadeCommit,
  type WantedCommit,
} from './commit/commit-files.ts';
export { readChangedPaths, type ChangedPaths } from './commit/changed-paths.ts';
export { NewBlobs } from './commit/new-blobs.ts';
export { pathNames, type PathFault } from './commit/tree-editor.ts';
export type { ChangedRef, ChangeRules } from './change/store-change.ts';
export { integrate, type IntegrationSource } from './integrate/integrate.ts';
export type { IntegrationRefusal, IntegrationResult, WantedIntegration } from './integrate/wanted-integration.ts';
export type { PathConflict } from './merge/merge-commits.ts';
export { MergeTooLargeError } from './merge/merge-limits.ts';
export { uploadBlob, type BlobBody, type UploadedBlob } from './change/upload-blob.ts';
export { updateRefs, type UpdateRefusal, type UpdateResult, type WantedUpdate } from './change/update-refs.ts';
export type { Fetch } from './fetch-client/exchange.ts';
export { PackError } from './pack/pack-error.ts';
export { importRemote, type ImportOptions, type ImportOutcome } from './fetch-client/import-remote.ts';
export type { ImportPlan } from './fetch-client/import-plan.ts';
export { RemoteError, type RemoteErrorCode } from './fetch-client/remote-error.ts';
export type { FetchKind, UploadPackOptions, UploadPackReply } from './upload-pack/fetch-service.ts';
export { uploadPack } from './upload-pack/upload-pack.ts';
export { maintainRepository } from './maintain/maintain.ts';
export type { MaintainOptions, MaintenanceReport } from './maintain/maintenance.ts';
export { planFork, type ForkOptions, type ForkPlan } from './fork/plan-fork.ts';
export { verifyRepository } from './verify/verify-repository.ts';
export type { Problem } from './verify/problem.ts';
export { BlobContent } from './content/blob-content.ts';
export type { Commit, Person } from './content/commit-record.ts';
export { TreeContent } from './content/tree-content.ts';
export type { ChangedFile, ChangedFiles } from './content/changed-files.ts';
export { readCommitChanges, type CommitWithChanges } from './content/commit-changes.ts';
export { Comparison, type ComparisonSummary } from './content/comparison.ts';
export type { ChangeStatus } from './diff/change.ts';
export { ArchiveContent, archiveFormats, type ArchiveFormat, type ArchiveRequest } from './archive/archive-content.ts';
export { ContentReader, type ContentOptions, type HistoryQuery } from './content/content-reader.ts';
export type { ListedEntry } from './content/list-tree.ts';
export { placeIdsMax, type HistoryPlace } from './content/read-history.ts';
export type { LineMatch, LinePattern } from './content/search/line-pattern.ts';
export { literalPattern } from './content/search/literal-pattern.ts';
export type { FoundLine, SearchPage, SearchPlace, TreeSearch } from './content/search/search-tree.ts';
export type { LogRange } from './content/read-log.ts';
export type { TreeEntry, TreeEntryType, TreeMode } from './content/tree-entries.ts';
export { RequestWork, WorkAbortedError, type WorkOptions } from './work/scheduler.ts';
export { cost, sliceUnits, unitsOf, type Cost } from './work/costs.ts';
