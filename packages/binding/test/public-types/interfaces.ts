/**
 * Compares the declarations of this package with those of the public types package, in the release that the compiler
 * finds (BIND-010 to BIND-012). Nothing runs: the test is that it compiles.
 */
import type { RepoErrorCode } from '../../src/repo-error-code.ts';
import type { Repo } from '../../src/repo.ts';
import type { Repos } from '../../src/repos.ts';
import type {
  Commit,
  CreateRepoResult,
  CreateTokenResult,
  RepoInfo,
  RepoListItem,
  RepoListResult,
  TokenInfo,
  TokenListResult,
  TreeEntry,
  TreeEntryType,
} from '../../src/results.ts';

/** Compares two types for identity, as the compiler does: members, optional marks, unions and nullability. */
type Same<A, B> =
  (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : { ours: A; theirs: B; differ: true };
/** Fails to compile if the types differ. */
const same = <Verdict extends true>(): Verdict => true as Verdict;
/** Fails to compile for a value of another type. */
const taken = <Wanted>(_: Wanted): void => undefined;

export function objectsAreAssignable(repos: Repos, repo: Repo): void {
  taken<Artifacts>(repos);
  taken<ArtifactsRepo>(repo);
}

/** Methods of a handle that the public interface lacks. */
type Beyond =
  | 'archive'
  | 'cherryPick'
  | 'commit'
  | 'compare'
  | 'listRefs'
  | 'listTree'
  | 'merge'
  | 'readFiles'
  | 'revert'
  | 'search'
  | 'update'
  | 'updateRefs'
  | 'writeBlob';

/** Codes of errors that the public interface lacks. */
type CodesBeyond = 'READ_ONLY' | 'STALE_REF' | 'REF_REFUSED' | 'MERGE_CONFLICT';

/** Programs for the public interface also work with the types of this package. */
export function objectsAreTakenBack(repo: ArtifactsRepo, repos: Omit<Artifacts, 'list' | 'get'>): void {
  // The result of `info` has more members here (BIND-077).
  taken<Omit<Repo, Beyond | 'info'>>(repo);
  taken<Omit<Repos, 'list' | 'get'>>(repos);
}

export function resultsAreTheSame(): void {
  same<Same<RepoInfo, ArtifactsRepoInfo>>();
  same<Same<CreateRepoResult, ArtifactsCreateRepoResult>>();
  same<Same<Pick<RepoListItem, Exclude<keyof RepoListItem, 'status'>>, PublicListItem>>();
  same<Same<keyof RepoListResult, keyof ArtifactsRepoListResult>>();
  same<Same<Omit<RepoListResult, 'repos'>, Omit<ArtifactsRepoListResult, 'repos'>>>();
  same<Same<CreateTokenResult, ArtifactsCreateTokenResult>>();
  same<Same<TokenInfo, ArtifactsTokenInfo>>();
  same<Same<TokenListResult, ArtifactsTokenListResult>>();
  same<Same<TreeEntryType, ArtifactsTreeEntryType>>();
  same<Same<TreeEntry, ArtifactsTreeEntry>>();
  same<Same<Commit, ArtifactsCommitMetadata>>();
  same<Same<Exclude<RepoErrorCode, CodesBeyond>, ArtifactsErrorCode>>();
}

type PublicListItem = Pick<ArtifactsRepoListResult['repos'][number], keyof ArtifactsRepoListResult['repos'][number]>;

export function methodsAreTheSame(): void {
  same<Same<keyof Repos, keyof Artifacts>>();
  same<Same<Exclude<keyof Repo, Beyond>, keyof ArtifactsRepo>>();
  same<Same<Parameters<Repos['create']>, Parameters<Artifacts['create']>>>();
  same<Same<Parameters<Repos['get']>, Parameters<Artifacts['get']>>>();
  same<Same<Parameters<Repos['import']>, Parameters<Artifacts['import']>>>();
  same<Same<Parameters<Repos['list']>, Parameters<Artifacts['list']>>>();
  same<Same<Repos['delete'], Artifacts['delete']>>();
  same<Same<Parameters<Repo['info']>, Parameters<ArtifactsRepo['info']>>>();
  same<Same<Repo['createToken'], ArtifactsRepo['createToken']>>();
  same<Same<Repo['listTokens'], ArtifactsRepo['listTokens']>>();
  same<Same<Repo['revokeToken'], ArtifactsRepo['revokeToken']>>();
  same<Same<Repo['readBlob'], ArtifactsRepo['readBlob']>>();
  same<Same<Repo['readTree'], ArtifactsRepo['readTree']>>();
  same<Same<Repo['readFile'], ArtifactsRepo['readFile']>>();
  // `log` and `readCommit` have more options, which `objectsAreAssignable` allows.
  same<Same<ReturnType<Repo['log']>, ReturnType<ArtifactsRepo['log']>>>();
  same<Same<Repo['fork'], ArtifactsRepo['fork']>>();
}
