/** Made by `scripts/write-types.ts` from the OpenAPI document with the digest 3387786e83acffdf. */

export interface paths {
  readonly '/api-tokens': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the API tokens that the token of the request reaches, newest first */
    readonly get: operations['listApiTokens'];
    readonly put?: never;
    /** Create an API token for the account, a namespace or a repository; its plaintext is shown only here */
    readonly post: operations['createApiToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/api-tokens/{token_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /** Revoke an API token, and those that it created */
    readonly delete: operations['revokeApiToken'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the namespaces, newest first */
    readonly get: operations['listNamespaces'];
    readonly put?: never;
    /** Create a namespace */
    readonly post: operations['createNamespace'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a namespace */
    readonly get: operations['getNamespace'];
    readonly put?: never;
    readonly post?: never;
    /** Delete an empty namespace */
    readonly delete: operations['deleteNamespace'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List or search the repositories of a namespace */
    readonly get: operations['listRepos'];
    readonly put?: never;
    /** Create an empty repository, its namespace if need be, and its first token */
    readonly post: operations['createRepo'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a repository */
    readonly get: operations['getRepo'];
    readonly put?: never;
    readonly post?: never;
    /** Delete a repository with its tokens and objects */
    readonly delete: operations['deleteRepo'];
    readonly options?: never;
    readonly head?: never;
    /** Change the name, description, default branch or read-only flag of a repository */
    readonly patch: operations['updateRepo'];
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/archive/{archive}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get the files of a revision as an archive: its name is the revision with .tar.gz, .tar or .zip */
    readonly get: operations['getArchive'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/blob/{hash}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get the bytes of a blob */
    readonly get: operations['getBlob'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/blobs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Store the content of a file, for a commit that names its hash */
    readonly post: operations['createBlob'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/cherry-picks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Apply the change of a commit to a branch, with its author and message */
    readonly post: operations['cherryPick'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/commit/{hash}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a commit, with the files that it changes if asked */
    readonly get: operations['getCommit'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/commits': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Commit changes of files to a branch, which is created if it is new */
    readonly post: operations['createCommit'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/compare': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Compare the merge base of two revisions with the second of them, as JSON or as a patch */
    readonly get: operations['compareCommits'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/file': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get the bytes of a file at a path of a revision */
    readonly get: operations['getFile'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/files': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Read several files of a revision; a file that is missing does not fail the others */
    readonly post: operations['readFiles'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/fork': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Fork a repository within its namespace, with a first token; no history is copied */
    readonly post: operations['forkRepo'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/import': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Import a repository from a public Git remote, with its first token */
    readonly post: operations['importRepo'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/log': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the history of revisions, newest first: the first-parent chain of one, or with filters in pages */
    readonly get: operations['listCommits'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/merges': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Merge a branch into another one, also from a fork or the parent */
    readonly post: operations['merge'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/raw/{ref}/{path}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a file with its type, for programs that show it; a slash in the revision is written %2F */
    readonly get: operations['getRawFile'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/refs': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List branches, tags and other refs by full name, in pages */
    readonly get: operations['listRefs'];
    readonly put?: never;
    /** Create, move and delete refs, all or none */
    readonly post: operations['updateRefs'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/refs/{ref_name}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a ref; the path from refs on is its full name, whose slashes may be written %2F */
    readonly get: operations['getRef'];
    /** Create a ref, or move it to another commit; the path is its full name */
    readonly put: operations['setRef'];
    readonly post?: never;
    /** Delete a ref; the path is its full name */
    readonly delete: operations['deleteRef'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/reverts': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Undo the change of a commit on a branch */
    readonly post: operations['revert'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/search': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Find the lines of files that contain a text or match a regular expression, in pages */
    readonly get: operations['searchFiles'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/tokens': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the tokens of a repository, newest first */
    readonly get: operations['listTokens'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/tree': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List a folder at a revision, with what is below it if asked */
    readonly get: operations['listTree'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/tree/{hash}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the entries of a tree */
    readonly get: operations['getTree'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/webhooks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the webhooks of a repository, oldest first */
    readonly get: operations['listRepoWebhooks'];
    readonly put?: never;
    /** Create a webhook of a repository; its secret is shown only here */
    readonly post: operations['createRepoWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/webhooks/{webhook_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a webhook of a repository, with the outcome of its last delivery */
    readonly get: operations['getRepoWebhook'];
    readonly put?: never;
    readonly post?: never;
    /** Delete a webhook of a repository */
    readonly delete: operations['deleteRepoWebhook'];
    readonly options?: never;
    readonly head?: never;
    /** Change a webhook of a repository, or make it active again */
    readonly patch: operations['updateRepoWebhook'];
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/repos/{repo_name}/webhooks/{webhook_id}/ping': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Send a ping to a webhook of a repository, and return the outcome */
    readonly post: operations['pingRepoWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/tokens': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Mint a token for a repository; its plaintext is shown only here */
    readonly post: operations['createToken'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/tokens/{token_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    readonly post?: never;
    /** Revoke a token */
    readonly delete: operations['revokeToken'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/webhooks': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** List the webhooks of a namespace, oldest first */
    readonly get: operations['listNamespaceWebhooks'];
    readonly put?: never;
    /** Create a webhook of a namespace; its secret is shown only here */
    readonly post: operations['createNamespaceWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/webhooks/{webhook_id}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /** Get a webhook of a namespace, with the outcome of its last delivery */
    readonly get: operations['getNamespaceWebhook'];
    readonly put?: never;
    readonly post?: never;
    /** Delete a webhook of a namespace */
    readonly delete: operations['deleteNamespaceWebhook'];
    readonly options?: never;
    readonly head?: never;
    /** Change a webhook of a namespace, or make it active again */
    readonly patch: operations['updateNamespaceWebhook'];
    readonly trace?: never;
  };
  readonly '/namespaces/{namespace}/webhooks/{webhook_id}/ping': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly get?: never;
    readonly put?: never;
    /** Send a ping to a webhook of a namespace, and return the outcome */
    readonly post: operations['pingNamespaceWebhook'];
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tags': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * Get the tags of a resource of an account
     * @description For a resource whose tags were never set the reply is 500 with the code 10200.
     */
    readonly get: operations['getAccountTags'];
    /**
     * Set the tags of a resource of an account
     * @description The tags of the body replace those that the resource has. To change one, get them, change it, and set all.
     */
    readonly put: operations['setAccountTags'];
    readonly post?: never;
    /**
     * Delete the tags of a resource of an account
     * @description Also succeeds for a resource without tags.
     */
    readonly delete: operations['deleteAccountTags'];
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tags/keys': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the keys in use
     * @description Of all tags of the account and of its zones, each once.
     */
    readonly get: operations['listTagKeys'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tags/resources': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List or search the resources that have tags
     * @description Those of the account and of all its zones, by type, zone, parent and id.
     */
    readonly get: operations['listTaggedResources'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tags/summary': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the keys in use with their values
     * @description One item for each key, with all its values.
     */
    readonly get: operations['listTagSummary'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
  readonly '/tags/values/{tag_key}': {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    /**
     * List the values in use for a key
     * @description Each once.
     */
    readonly get: operations['listTagValues'];
    readonly put?: never;
    readonly post?: never;
    readonly delete?: never;
    readonly options?: never;
    readonly head?: never;
    readonly patch?: never;
    readonly trace?: never;
  };
}
export type webhooks = Record<string, never>;
export interface components {
  schemas: {
    readonly ApiTokenInfo: {
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly created_at: string;
      /** @description Id of the API token that created it */
      readonly created_by: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly expires_at: string;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      /** @example CI of team */
      readonly name: string;
      readonly namespace: string | null;
      readonly permissions: readonly ('read' | 'edit' | 'git.read' | 'git.write' | 'tag.read' | 'tag.write')[];
      readonly repo: string | null;
      /** @enum {string} */
      readonly scope: 'account' | 'namespace' | 'repository';
      /** @enum {string} */
      readonly state: 'active' | 'expired' | 'revoked';
    };
    readonly ChangedFile: {
      readonly additions: number;
      readonly binary: boolean;
      readonly deletions: number;
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly new_hash: string | null;
      /** @example 100644 */
      readonly new_mode: string | null;
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly old_hash: string | null;
      /** @example 100644 */
      readonly old_mode: string | null;
      /** @example docs/plan.md */
      readonly path: string;
      readonly previous_path: string | null;
      readonly similarity: number | null;
      /** @enum {string} */
      readonly status: 'added' | 'deleted' | 'modified' | 'renamed' | 'type_changed';
    };
    readonly ChangedFiles: {
      readonly files: readonly components['schemas']['ChangedFile'][];
      /** @description True if edited renames may be shown as added and deleted files */
      readonly renames_limited: boolean;
      /** @description True if files are left out */
      readonly truncated: boolean;
    };
    readonly Commit: {
      readonly author: {
        /** @example ada@example.test */
        readonly email: string;
        /** @example Ada */
        readonly name: string;
      };
      /** @example 1795165100 */
      readonly authoredAt: number;
      /** @example 1795165100 */
      readonly committedAt: number;
      readonly committer: {
        /** @example ada@example.test */
        readonly email: string;
        /** @example Ada */
        readonly name: string;
      };
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly hash: string;
      /** @example Add plan */
      readonly message: string;
      readonly parents: readonly string[];
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly treeHash: string;
    };
    readonly CommitDetails: {
      readonly author: {
        /** @example ada@example.test */
        readonly email: string;
        /** @example Ada */
        readonly name: string;
      };
      /** @example 1795165100 */
      readonly authoredAt: number;
      readonly changes?: components['schemas']['ChangedFiles'];
      /** @example 1795165100 */
      readonly committedAt: number;
      readonly committer: {
        /** @example ada@example.test */
        readonly email: string;
        /** @example Ada */
        readonly name: string;
      };
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly hash: string;
      /** @example Add plan */
      readonly message: string;
      readonly parents: readonly string[];
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly treeHash: string;
    };
    readonly Comparison: {
      readonly ahead: number;
      readonly behind: number;
      readonly commits: readonly components['schemas']['Commit'][];
      readonly files: readonly components['schemas']['ChangedFile'][];
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly merge_base: string | null;
      /** @description True if edited renames may be shown as added and deleted files */
      readonly renames_limited: boolean;
      /** @description True if commits or files are left out */
      readonly truncated: boolean;
    };
    readonly CreateApiTokenResult: {
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly created_at: string;
      /** @description Id of the API token that created it */
      readonly created_by: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly expires_at: string;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      /** @example CI of team */
      readonly name: string;
      readonly namespace: string | null;
      readonly permissions: readonly ('read' | 'edit' | 'git.read' | 'git.write' | 'tag.read' | 'tag.write')[];
      readonly plaintext: string;
      readonly repo: string | null;
      /** @enum {string} */
      readonly scope: 'account' | 'namespace' | 'repository';
      /** @enum {string} */
      readonly state: 'active' | 'expired' | 'revoked';
    };
    readonly CreateRepoResult: {
      readonly default_branch: string;
      readonly description: string | null;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      readonly name: string;
      readonly remote: string;
      readonly token: string;
    };
    readonly CreateTokenResult: {
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly expires_at: string;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      readonly plaintext: string;
      /** @enum {string} */
      readonly scope: 'read' | 'write';
    };
    readonly CreateWebhookResult: {
      readonly active: boolean;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly created_at: string;
      readonly events:
        | readonly (
            | 'created'
            | 'deleted'
            | 'forked'
            | 'imported'
            | 'renamed'
            | 'updated'
            | 'pushed'
            | 'cloned'
            | 'fetched'
            | 'token.created'
            | 'token.revoked'
          )[]
        | null;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      readonly last_delivery: components['schemas']['WebhookDelivery'] | null;
      readonly refs: readonly string[] | null;
      readonly secret: string;
      /** @description Why the service made the webhook inactive */
      readonly stopped_reason: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly updated_at: string;
      /**
       * Format: uri
       * @example https://hooks.example/packhouse
       */
      readonly url: string;
    };
    readonly CursorInfo: {
      readonly count: number;
      readonly cursor: string;
      readonly per_page: number;
    };
    readonly Failure: {
      readonly errors: readonly {
        readonly code: number;
        readonly details?: Record<string, never>;
        readonly documentation_url: string;
        readonly hint: string;
        readonly message: string;
        /** @enum {string} */
        readonly reason:
          | 'authentication_failed'
          | 'permission_denied'
          | 'route_not_found'
          | 'method_not_allowed'
          | 'body_too_large'
          | 'unsupported_media_type'
          | 'rate_limited'
          | 'malformed_json'
          | 'invalid_input'
          | 'invalid_repo_name'
          | 'invalid_ttl'
          | 'invalid_url'
          | 'remote_auth_required'
          | 'namespace_not_found'
          | 'repo_not_found'
          | 'token_not_found'
          | 'webhook_not_found'
          | 'ref_not_found'
          | 'commit_not_found'
          | 'tree_not_found'
          | 'blob_not_found'
          | 'file_not_found'
          | 'object_not_found'
          | 'remote_not_found'
          | 'remote_branch_not_found'
          | 'namespace_exists'
          | 'repo_exists'
          | 'namespace_not_empty'
          | 'repo_read_only'
          | 'stale_ref'
          | 'ref_refused'
          | 'non_fast_forward'
          | 'nothing_to_commit'
          | 'change_refused'
          | 'idempotency_key_reused'
          | 'merge_conflict'
          | 'too_many_api_tokens'
          | 'repo_creating'
          | 'repo_importing'
          | 'repo_forking'
          | 'namespace_deleting'
          | 'memory_limit'
          | 'overloaded'
          | 'storage_full'
          | 'storage_gone'
          | 'storage_unavailable'
          | 'import_too_large'
          | 'upstream_unavailable'
          | 'internal_error';
        readonly retryable: boolean;
        readonly source?: {
          readonly pointer: string;
        };
      }[];
      readonly messages: readonly string[];
      readonly result: null;
      /** @enum {boolean} */
      readonly success: false;
    };
    readonly FilesRead: {
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly commit: string;
      readonly files: readonly {
        readonly content: string | null;
        /** @enum {string|null} */
        readonly encoding: 'utf-8' | 'base64' | null;
        readonly error: {
          readonly code: number;
          readonly message: string;
          /** @example file_not_found */
          readonly reason: string;
        } | null;
        /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
        readonly hash: string | null;
        readonly mode: string | null;
        /** @example plan.md */
        readonly path: string;
        readonly size: number | null;
      }[];
    };
    readonly ForkRepoResult: {
      readonly default_branch: string;
      readonly description: string | null;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      /** @example notes-try */
      readonly name: string;
      readonly objects: number;
      /** @example https://git.example/git/local/default/notes-try.git */
      readonly remote: string;
      readonly token: string;
    };
    readonly ListedEntry: {
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly hash: string;
      /** @enum {string} */
      readonly mode: '40000' | '100644' | '100755' | '120000' | '160000';
      /** @example docs */
      readonly name: string;
      /** @example docs */
      readonly path: string;
      readonly size: number | null;
      /** @enum {string} */
      readonly type: 'tree' | 'blob' | 'exec' | 'symlink' | 'gitlink';
    };
    readonly Merge: {
      /**
       * @description The commit that was made
       * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
       */
      readonly commit: string | null;
      /**
       * @description What from or commit resolved to
       * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
       */
      readonly from: string;
      readonly ref: {
        /** @example refs/heads/main */
        readonly name: string;
        /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
        readonly new: string;
        /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
        readonly old: string;
      };
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly tree: string;
    };
    readonly Namespace: {
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly created_at: string;
      readonly jurisdiction: string;
      readonly namespace: string;
      readonly repo_count: number;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly updated_at: string;
    };
    readonly NewBlob: {
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly hash: string;
      readonly size: number;
    };
    readonly NewCommit: {
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly commit: string;
      readonly paths: readonly string[];
      readonly ref: {
        /** @example refs/heads/main */
        readonly name: string;
        /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
        readonly new: string;
        /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
        readonly old: string | null;
      };
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly tree: string;
      readonly truncated: boolean;
    };
    readonly OffsetInfo: {
      readonly count: number;
      readonly page: number;
      readonly per_page: number;
      readonly total_count: number;
      readonly total_pages: number;
    };
    /** @description An error of the platform (RFC 9457). */
    readonly PlatformProblem: {
      /** @description What happened and who is responsible, the same each time. */
      readonly detail: string;
      /**
       * @description Stable name of the group that the error is in.
       * @enum {string}
       */
      readonly error_category:
        | 'platform'
        | 'origin'
        | 'ssl'
        | 'dns'
        | 'access_denied'
        | 'config'
        | 'tls'
        | 'rate_limit'
        | 'worker'
        | 'legal'
        | 'rewrite'
        | 'unsupported'
        | 'snippet';
      /**
       * @description Stable number of the error.
       * @enum {integer}
       */
      readonly error_code:
        | 500
        | 502
        | 504
        | 520
        | 521
        | 522
        | 523
        | 524
        | 525
        | 526
        | 1000
        | 1001
        | 1002
        | 1003
        | 1004
        | 1005
        | 1006
        | 1007
        | 1008
        | 1009
        | 1010
        | 1011
        | 1012
        | 1013
        | 1014
        | 1015
        | 1016
        | 1017
        | 1018
        | 1019
        | 1020
        | 1021
        | 1022
        | 1023
        | 1024
        | 1025
        | 1026
        | 1027
        | 1028
        | 1029
        | 1033
        | 1034
        | 1035
        | 1036
        | 1037
        | 1038
        | 1039
        | 1040
        | 1041
        | 1042
        | 1043
        | 1044
        | 1045
        | 1047
        | 1049
        | 1100
        | 1101
        | 1102
        | 1103
        | 1104
        | 1105
        | 1106
        | 1107
        | 1108
        | 1109
        | 1200
        | 1201
        | 1202
        | 1203
        | 1204
        | 1205
        | 1206;
      /**
       * @description Stable name of the error.
       * @enum {string}
       */
      readonly error_name:
        | 'internal_server_error'
        | 'origin_bad_gateway'
        | 'origin_gateway_timeout'
        | 'origin_unknown_error'
        | 'origin_web_server_down'
        | 'connection_timeout'
        | 'origin_unreachable'
        | 'origin_response_timeout'
        | 'ssl_handshake_failed'
        | 'invalid_ssl_certificate'
        | 'dns_loop'
        | 'dns_resolution_error'
        | 'dns_prohibited_ip'
        | 'direct_ip_access_denied'
        | 'host_not_configured'
        | 'asn_banned'
        | 'ip_banned'
        | 'ip_banned_1007'
        | 'ip_banned_1008'
        | 'country_banned'
        | 'browser_signature_banned'
        | 'hotlinking_denied'
        | 'access_denied_malicious_activity'
        | 'hostname_sni_mismatch'
        | 'cname_cross_user_banned'
        | 'rate_limited'
        | 'origin_dns_error'
        | 'tls_client_error'
        | 'host_not_found'
        | 'worker_loop'
        | 'firewall_rule_blocked'
        | 'worker_host_forbidden'
        | 'worker_routing_failed'
        | 'host_not_found_config'
        | 'worker_forbidden_subrequest'
        | 'plan_limit_reached'
        | 'legal_block'
        | 'workers_daily_limit'
        | 'tls_version_unsupported'
        | 'tls_cipher_unsupported'
        | 'tunnel_error'
        | 'edge_ip_restricted'
        | 'rewrite_invalid_path'
        | 'rewrite_too_long'
        | 'rewrite_evaluation_failed'
        | 'http_headers_limit_exceeded'
        | 'legal_country_block'
        | 'header_modification_not_allowed'
        | 'invalid_header_value'
        | 'workers_dev_script_not_found'
        | 'zone_access_misconfigured'
        | 'tls_not_fips_compliant'
        | 'unsupported_protocol'
        | 'zone_config_error_1047'
        | 'zone_config_error_1049'
        | 'worker_runtime_error'
        | 'worker_threw_exception'
        | 'worker_exceeded_resources'
        | 'worker_disabled'
        | 'worker_script_not_found'
        | 'worker_unavailable'
        | 'ip_banned_1106'
        | 'access_denied_1107'
        | 'access_denied_1108'
        | 'access_denied_1109'
        | 'cache_connection_limit'
        | 'snippet_multiple_origin_fetches'
        | 'snippet_subrequests_exceeded'
        | 'snippet_cpu_exceeded'
        | 'snippet_memory_exceeded'
        | 'too_many_redirects'
        | 'snippet_threw_exception';
      /** @description Who generated the error. */
      readonly footer: string;
      /** @description The ray id. */
      readonly instance: string;
      /**
       * @description Whether the owner of the site has to act.
       * @enum {boolean}
       */
      readonly owner_action_required: false | true;
      /**
       * @description Tells these errors from other problems.
       * @enum {boolean}
       */
      readonly platform_error: true;
      /** @description Names this reply; new each time. */
      readonly ray_id: string;
      /** @description Seconds to wait before the next try. */
      readonly retry_after?: number;
      /**
       * @description Whether waiting helps.
       * @enum {boolean}
       */
      readonly retryable: true | false;
      /**
       * @description The HTTP status.
       * @enum {integer}
       */
      readonly status:
        | 500
        | 502
        | 504
        | 520
        | 521
        | 522
        | 523
        | 524
        | 525
        | 526
        | 403
        | 409
        | 421
        | 429
        | 530
        | 451
        | 431
        | 404
        | 400
        | 503;
      /**
       * Format: date-time
       * @description When the error was generated, in UTC.
       */
      readonly timestamp: string;
      /** @description `Error`, the code, and a few words. */
      readonly title: string;
      /**
       * Format: uri
       * @description URI of this kind of error.
       * @enum {string}
       */
      readonly type:
        | 'http://127.0.0.1:8787/docs/errors/500'
        | 'http://127.0.0.1:8787/docs/errors/502'
        | 'http://127.0.0.1:8787/docs/errors/504'
        | 'http://127.0.0.1:8787/docs/errors/520'
        | 'http://127.0.0.1:8787/docs/errors/521'
        | 'http://127.0.0.1:8787/docs/errors/522'
        | 'http://127.0.0.1:8787/docs/errors/523'
        | 'http://127.0.0.1:8787/docs/errors/524'
        | 'http://127.0.0.1:8787/docs/errors/525'
        | 'http://127.0.0.1:8787/docs/errors/526'
        | 'http://127.0.0.1:8787/docs/errors/1000'
        | 'http://127.0.0.1:8787/docs/errors/1001'
        | 'http://127.0.0.1:8787/docs/errors/1002'
        | 'http://127.0.0.1:8787/docs/errors/1003'
        | 'http://127.0.0.1:8787/docs/errors/1004'
        | 'http://127.0.0.1:8787/docs/errors/1005'
        | 'http://127.0.0.1:8787/docs/errors/1006'
        | 'http://127.0.0.1:8787/docs/errors/1007'
        | 'http://127.0.0.1:8787/docs/errors/1008'
        | 'http://127.0.0.1:8787/docs/errors/1009'
        | 'http://127.0.0.1:8787/docs/errors/1010'
        | 'http://127.0.0.1:8787/docs/errors/1011'
        | 'http://127.0.0.1:8787/docs/errors/1012'
        | 'http://127.0.0.1:8787/docs/errors/1013'
        | 'http://127.0.0.1:8787/docs/errors/1014'
        | 'http://127.0.0.1:8787/docs/errors/1015'
        | 'http://127.0.0.1:8787/docs/errors/1016'
        | 'http://127.0.0.1:8787/docs/errors/1017'
        | 'http://127.0.0.1:8787/docs/errors/1018'
        | 'http://127.0.0.1:8787/docs/errors/1019'
        | 'http://127.0.0.1:8787/docs/errors/1020'
        | 'http://127.0.0.1:8787/docs/errors/1021'
        | 'http://127.0.0.1:8787/docs/errors/1022'
        | 'http://127.0.0.1:8787/docs/errors/1023'
        | 'http://127.0.0.1:8787/docs/errors/1024'
        | 'http://127.0.0.1:8787/docs/errors/1025'
        | 'http://127.0.0.1:8787/docs/errors/1026'
        | 'http://127.0.0.1:8787/docs/errors/1027'
        | 'http://127.0.0.1:8787/docs/errors/1028'
        | 'http://127.0.0.1:8787/docs/errors/1029'
        | 'http://127.0.0.1:8787/docs/errors/1033'
        | 'http://127.0.0.1:8787/docs/errors/1034'
        | 'http://127.0.0.1:8787/docs/errors/1035'
        | 'http://127.0.0.1:8787/docs/errors/1036'
        | 'http://127.0.0.1:8787/docs/errors/1037'
        | 'http://127.0.0.1:8787/docs/errors/1038'
        | 'http://127.0.0.1:8787/docs/errors/1039'
        | 'http://127.0.0.1:8787/docs/errors/1040'
        | 'http://127.0.0.1:8787/docs/errors/1041'
        | 'http://127.0.0.1:8787/docs/errors/1042'
        | 'http://127.0.0.1:8787/docs/errors/1043'
        | 'http://127.0.0.1:8787/docs/errors/1044'
        | 'http://127.0.0.1:8787/docs/errors/1045'
        | 'http://127.0.0.1:8787/docs/errors/1047'
        | 'http://127.0.0.1:8787/docs/errors/1049'
        | 'http://127.0.0.1:8787/docs/errors/1100'
        | 'http://127.0.0.1:8787/docs/errors/1101'
        | 'http://127.0.0.1:8787/docs/errors/1102'
        | 'http://127.0.0.1:8787/docs/errors/1103'
        | 'http://127.0.0.1:8787/docs/errors/1104'
        | 'http://127.0.0.1:8787/docs/errors/1105'
        | 'http://127.0.0.1:8787/docs/errors/1106'
        | 'http://127.0.0.1:8787/docs/errors/1107'
        | 'http://127.0.0.1:8787/docs/errors/1108'
        | 'http://127.0.0.1:8787/docs/errors/1109'
        | 'http://127.0.0.1:8787/docs/errors/1200'
        | 'http://127.0.0.1:8787/docs/errors/1201'
        | 'http://127.0.0.1:8787/docs/errors/1202'
        | 'http://127.0.0.1:8787/docs/errors/1203'
        | 'http://127.0.0.1:8787/docs/errors/1204'
        | 'http://127.0.0.1:8787/docs/errors/1205'
        | 'http://127.0.0.1:8787/docs/errors/1206';
      /** @description Advice for the visitor; Markdown. */
      readonly what_you_should_do: string;
      /** @description Host name of the request, or empty. */
      readonly zone: string;
    };
    readonly Ref: {
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly hash: string;
      /** @enum {string} */
      readonly kind: 'commit' | 'tree' | 'blob' | 'tag';
      /** @example refs/heads/main */
      readonly name: string;
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly peeled: string | null;
    };
    readonly RefChange: {
      /** @example refs/heads/main */
      readonly name: string;
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly new: string | null;
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly old: string | null;
    };
    readonly RepoDetails: {
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly created_at: string;
      readonly default_branch: string;
      readonly description: string | null;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly last_push_at: string | null;
      readonly name: string;
      readonly object_count: number;
      readonly read_only: boolean;
      readonly ref_count: number;
      readonly remote: string;
      readonly size: number;
      readonly source: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly updated_at: string;
    };
    readonly RepoListItem: {
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly created_at: string;
      readonly default_branch: string;
      readonly description: string | null;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly last_push_at: string | null;
      readonly name: string;
      readonly read_only: boolean;
      readonly remote: string;
      readonly source: string | null;
      /** @enum {string} */
      readonly status: 'ready' | 'creating' | 'importing' | 'forking';
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly updated_at: string;
    };
    readonly SearchResult: {
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly commit: string;
      readonly matches: readonly {
        /** @description True if text is only a part of the line */
        readonly clipped: boolean;
        /** @description Place of the first match in the line: in bytes, from 1 */
        readonly column: number;
        /** @description Exclusive */
        readonly end: number;
        /** @description From 1 */
        readonly line: number;
        /** @example docs/plan.md */
        readonly path: string;
        /** @description The first match in text, in UTF-16 units */
        readonly start: number;
        /**
         * @description The line, or a part of it around the match
         * @example # The plan
         */
        readonly text: string;
      }[];
      /** @description Files and folders that were left out as too large */
      readonly skipped: number;
      /** @description True if something remains to be searched */
      readonly truncated: boolean;
    };
    readonly TagFailure: {
      readonly errors: readonly {
        readonly code: number;
        readonly documentation_url?: string;
        readonly hint: string;
        readonly message: string;
        /** @example etag_mismatch */
        readonly reason: string;
        readonly retryable: boolean;
        readonly source?: {
          readonly pointer: string;
        };
      }[];
      readonly messages: readonly {
        readonly code: number;
        readonly message: string;
      }[];
      readonly result: null;
      /** @constant */
      readonly success: false;
    };
    readonly TaggedResource: {
      /** @description With access_application_policy */
      readonly access_application_id?: string;
      readonly etag: string;
      readonly id: string;
      readonly name: string;
      readonly tags: {
        readonly [key: string]: string;
      };
      /**
       * Format: date-time
       * @description Where tags have been set
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly tags_updated_at?: string;
      /** @description Its type */
      readonly type: string;
      /** @description With worker_version */
      readonly worker_id?: string;
      /** @description With types of zones */
      readonly zone_id?: string;
    };
    readonly TagListInfo: {
      readonly count: number;
      readonly cursor: string | null;
      readonly cursors: {
        readonly after: string | null;
      };
    };
    readonly TagSummary: {
      /** @example environment */
      readonly key: string;
      /**
       * @example [
       *       "production",
       *       "staging"
       *     ]
       */
      readonly values: readonly string[];
    };
    readonly TokenInfo: {
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly created_at: string;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly expires_at: string;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      /** @enum {string} */
      readonly scope: 'read' | 'write';
      /** @enum {string} */
      readonly state: 'active' | 'expired' | 'revoked';
    };
    readonly TreeEntry: {
      /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
      readonly hash: string;
      /** @enum {string} */
      readonly mode: '40000' | '100644' | '100755' | '120000' | '160000';
      /** @example docs */
      readonly name: string;
      /** @enum {string} */
      readonly type: 'tree' | 'blob' | 'exec' | 'symlink' | 'gitlink';
    };
    readonly Webhook: {
      readonly active: boolean;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly created_at: string;
      readonly events:
        | readonly (
            | 'created'
            | 'deleted'
            | 'forked'
            | 'imported'
            | 'renamed'
            | 'updated'
            | 'pushed'
            | 'cloned'
            | 'fetched'
            | 'token.created'
            | 'token.revoked'
          )[]
        | null;
      /** @example k3v9p0x2m7q4w8zt */
      readonly id: string;
      readonly last_delivery: components['schemas']['WebhookDelivery'] | null;
      readonly refs: readonly string[] | null;
      /** @description Why the service made the webhook inactive */
      readonly stopped_reason: string | null;
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly updated_at: string;
      /**
       * Format: uri
       * @example https://hooks.example/packhouse
       */
      readonly url: string;
    };
    readonly WebhookDelivery: {
      /**
       * Format: date-time
       * @example 2026-11-20T09:15:02.114Z
       */
      readonly at: string;
      readonly attempts: number;
      readonly error: string | null;
      /** @example k3v9p0x2m7q4w8zt */
      readonly event_id: string;
      /** @example repos.repo.pushed */
      readonly event_type: string;
      /** @example 204 */
      readonly status: number | null;
    };
  };
  responses: never;
  parameters: never;
  requestBodies: never;
  headers: never;
  pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
  readonly listApiTokens: {
    readonly parameters: {
      readonly query?: {
        readonly page?: number;
        readonly per_page?: number;
        readonly state?: 'active' | 'expired' | 'revoked' | 'all';
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['ApiTokenInfo'][];
            readonly result_info: components['schemas']['OffsetInfo'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly createApiToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @example CI of team */
          readonly name: string;
          /**
           * @description Limits the token to a namespace
           * @example team
           */
          readonly namespace?: string;
          readonly permissions: readonly ('read' | 'edit' | 'git.read' | 'git.write' | 'tag.read' | 'tag.write')[];
          /**
           * @description Limits the token to a repository of that namespace
           * @example notes
           */
          readonly repo?: string;
          /** @default 2592000 */
          readonly ttl?: number;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['CreateApiTokenResult'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly revokeApiToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly token_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: {
              /** @example k3v9p0x2m7q4w8zt */
              readonly id: string;
            };
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly listNamespaces: {
    readonly parameters: {
      readonly query?: {
        readonly cursor?: string;
        readonly limit?: number;
        readonly page?: number;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['Namespace'][];
            readonly result_info: components['schemas']['OffsetInfo'] | components['schemas']['CursorInfo'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly createNamespace: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /**
           * @default unrestricted
           * @enum {string}
           */
          readonly jurisdiction?: 'unrestricted' | 'eu' | 'us';
          readonly namespace: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Namespace'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getNamespace: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Namespace'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly deleteNamespace: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly listRepos: {
    readonly parameters: {
      readonly query?: {
        readonly cursor?: string;
        readonly direction?: 'asc' | 'desc';
        readonly limit?: number;
        readonly page?: number;
        readonly search?: string;
        readonly sort?: 'created_at' | 'updated_at' | 'last_push_at' | 'name';
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['RepoListItem'][];
            readonly result_info: components['schemas']['OffsetInfo'] | components['schemas']['CursorInfo'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly createRepo: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @default main */
          readonly default_branch?: string;
          readonly description?: string | null;
          readonly name: string;
          /** @default false */
          readonly read_only?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['CreateRepoResult'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getRepo: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['RepoDetails'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly deleteRepo: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 202: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: {
              /** @example k3v9p0x2m7q4w8zt */
              readonly id: string;
            };
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly updateRepo: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description HEAD follows; the branch need not exist */
          readonly default_branch?: string | null;
          /**
           * @description Null for none
           * @example Agent notes
           */
          readonly description?: string | null;
          readonly name?: string | null;
          readonly read_only?: boolean | null;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['RepoDetails'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getArchive: {
    readonly parameters: {
      readonly query?: {
        readonly path?: string;
        readonly prefix?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly archive: string;
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/gzip': string;
          readonly 'application/x-tar': string;
          readonly 'application/zip': string;
        };
      };
      /** @description The client has the bytes already */
      readonly 304: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getBlob: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly hash: string;
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
        };
      };
      /** @description The client has the bytes already */
      readonly 304: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly createBlob: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/octet-stream': string;
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['NewBlob'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly cherryPick: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @default false */
          readonly allow_empty?: boolean;
          /** @description A revision, also of a fork or the parent */
          readonly commit:
            | string
            | {
                /** @description Default: that of the repository */
                readonly namespace?: string;
                /** @default HEAD */
                readonly ref?: string;
                /**
                 * @description A fork, or the parent
                 * @example notes-try
                 */
                readonly repo: string;
              };
          readonly committer: {
            /** @example ada@example.com */
            readonly email: string;
            /** @example Ada */
            readonly name: string;
            /**
             * @description Unix seconds; default: now
             * @example 1795165100
             */
            readonly time?: number;
            /** @default +0000 */
            readonly timezone?: string;
          };
          /**
           * @description The head that into must have
           * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
           */
          readonly expected_head?: string;
          /**
           * @description A branch
           * @example main
           */
          readonly into: string;
          /** @description The parent that a merge commit is compared with, from 1 */
          readonly mainline?: number;
          /** @description Default: that of the commit */
          readonly message?: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Merge'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getCommit: {
    readonly parameters: {
      readonly query?: {
        readonly include?: 'changes';
      };
      readonly header?: never;
      readonly path: {
        readonly hash: string;
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['CommitDetails'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly createCommit: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description 1 to 255 visible ASCII characters of your own: a retry with it returns the first result, and commits nothing */
        readonly 'Idempotency-Key'?: string;
      };
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @default false */
          readonly allow_empty?: boolean;
          readonly author: {
            /** @example ada@example.com */
            readonly email: string;
            /** @example Ada */
            readonly name: string;
            /**
             * @description Unix seconds; default: now
             * @example 1795165100
             */
            readonly time?: number;
            /** @default +0000 */
            readonly timezone?: string;
          };
          /** @example main */
          readonly branch: string;
          /**
           * @example [
           *       {
           *         "op": "put",
           *         "path": "docs/plan.md",
           *         "content": "# The plan\n"
           *       }
           *     ]
           */
          readonly changes?: readonly {
            /** @description With put: the content, or a hash instead */
            readonly content?: string;
            /**
             * @default utf-8
             * @enum {string}
             */
            readonly encoding?: 'utf-8' | 'base64';
            /** @description With move: the path before */
            readonly from?: string;
            /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
            readonly hash?: string;
            /** @enum {string} */
            readonly mode?: '100644' | '100755' | '120000';
            /** @enum {string} */
            readonly op: 'put' | 'delete' | 'move';
            /** @example docs/plan.md */
            readonly path: string;
          }[];
          readonly committer?: {
            /** @example ada@example.com */
            readonly email: string;
            /** @example Ada */
            readonly name: string;
            /**
             * @description Unix seconds; default: now
             * @example 1795165100
             */
            readonly time?: number;
            /** @default +0000 */
            readonly timezone?: string;
          };
          /**
           * @description The head that the branch must have; null: no branch
           * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
           */
          readonly expected_head?: string | null;
          /** @description Revision where a new branch begins; default: the default branch, or a root if it has no commit */
          readonly from?: string;
          /** @example Add plan */
          readonly message: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['NewCommit'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly compareCommits: {
    readonly parameters: {
      readonly query: {
        readonly base: string;
        readonly head: string;
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Comparison'];
            /** @enum {boolean} */
            readonly success: true;
          };
          readonly 'text/x-diff': string;
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getFile: {
    readonly parameters: {
      readonly query: {
        readonly path: string;
        readonly ref?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
        };
      };
      /** @description The client has the bytes already */
      readonly 304: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly readFiles: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly paths: readonly string[];
          /** @default HEAD */
          readonly ref?: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['FilesRead'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly forkRepo: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /**
           * @description False takes every branch and tag
           * @default true
           */
          readonly default_branch_only?: boolean;
          readonly description?: string | null;
          /**
           * @description Of the new repository
           * @example notes-try
           */
          readonly name: string;
          /** @default false */
          readonly read_only?: boolean;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['ForkRepoResult'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly importRepo: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @description Only this one, and tags that point into it */
          readonly branch?: string | null;
          /** @description Only so many commits of history */
          readonly depth?: number | null;
          readonly description?: string | null;
          /** @default false */
          readonly read_only?: boolean;
          /**
           * Format: uri
           * @description HTTPS, without a user name or password
           * @example https://github.com/owner/repo
           */
          readonly url: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['CreateRepoResult'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly listCommits: {
    readonly parameters: {
      readonly query?: {
        readonly author?: string;
        readonly cursor?: string;
        readonly limit?: number;
        readonly offset?: number;
        readonly parents?: 'first' | 'all';
        readonly path?: string;
        readonly ref?: string;
        readonly since?: number;
        readonly until?: number;
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['Commit'][];
            readonly result_info?: components['schemas']['CursorInfo'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly merge: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /**
           * @description Required unless ff-only
           * @example {
           *       "name": "Ada",
           *       "email": "ada@example.com"
           *     }
           */
          readonly author?: {
            /** @example ada@example.com */
            readonly email: string;
            /** @example Ada */
            readonly name: string;
            /**
             * @description Unix seconds; default: now
             * @example 1795165100
             */
            readonly time?: number;
            /** @default +0000 */
            readonly timezone?: string;
          };
          readonly committer?: {
            /** @example ada@example.com */
            readonly email: string;
            /** @example Ada */
            readonly name: string;
            /**
             * @description Unix seconds; default: now
             * @example 1795165100
             */
            readonly time?: number;
            /** @default +0000 */
            readonly timezone?: string;
          };
          /**
           * @description The commit that from must have
           * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
           */
          readonly expected_from?: string;
          /**
           * @description The head that into must have
           * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
           */
          readonly expected_head?: string;
          /** @description A revision, also of a fork or the parent */
          readonly from:
            | string
            | {
                /** @description Default: that of the repository */
                readonly namespace?: string;
                /** @default HEAD */
                readonly ref?: string;
                /**
                 * @description A fork, or the parent
                 * @example notes-try
                 */
                readonly repo: string;
              };
          /**
           * @description A branch
           * @example main
           */
          readonly into: string;
          /** @description Default: as git merge; required with squash */
          readonly message?: string;
          /**
           * @default merge
           * @enum {string}
           */
          readonly strategy?: 'merge' | 'ff-only' | 'squash';
        };
      };
    };
    readonly responses: {
      /** @description Nothing had to change */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Merge'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Merge'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getRawFile: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly path: string;
        readonly ref: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/octet-stream': string;
          readonly 'application/pdf': string;
          readonly 'image/*': string;
          readonly 'text/plain; charset=utf-8': string;
        };
      };
      /** @description The client has the bytes already */
      readonly 304: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly listRefs: {
    readonly parameters: {
      readonly query?: {
        readonly cursor?: string;
        readonly limit?: number;
        readonly prefix?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['Ref'][];
            readonly result_info: components['schemas']['CursorInfo'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly updateRefs: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly updates: readonly {
            /** @default false */
            readonly force?: boolean;
            /** @example refs/heads/main */
            readonly name: string;
            /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
            readonly new: string | null;
            /**
             * @description The value that the ref must have; null: it must not exist
             * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
             */
            readonly old?: string | null;
          }[];
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['RefChange'][];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getRef: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly ref_name: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Ref'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly setRef: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly ref_name: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @default false */
          readonly force?: boolean;
          /** @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc */
          readonly new: string;
          /**
           * @description The value that the ref must have; null: it must not exist
           * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
           */
          readonly old?: string | null;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['RefChange'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly deleteRef: {
    readonly parameters: {
      readonly query?: {
        readonly old?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly ref_name: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['RefChange'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly revert: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @default false */
          readonly allow_empty?: boolean;
          readonly author: {
            /** @example ada@example.com */
            readonly email: string;
            /** @example Ada */
            readonly name: string;
            /**
             * @description Unix seconds; default: now
             * @example 1795165100
             */
            readonly time?: number;
            /** @default +0000 */
            readonly timezone?: string;
          };
          /**
           * @description A revision
           * @example main
           */
          readonly commit: string;
          readonly committer?: {
            /** @example ada@example.com */
            readonly email: string;
            /** @example Ada */
            readonly name: string;
            /**
             * @description Unix seconds; default: now
             * @example 1795165100
             */
            readonly time?: number;
            /** @default +0000 */
            readonly timezone?: string;
          };
          /**
           * @description The head that into must have
           * @example 8c1f0e5a7b3d92461e0fa9c5d8b7e6432109fedc
           */
          readonly expected_head?: string;
          /**
           * @description A branch
           * @example main
           */
          readonly into: string;
          /** @description The parent that a merge commit is compared with, from 1 */
          readonly mainline?: number;
          /** @description Default: as git revert */
          readonly message?: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Merge'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly searchFiles: {
    readonly parameters: {
      readonly query: {
        readonly cursor?: string;
        readonly ignore_case?: boolean;
        readonly limit?: number;
        readonly path?: string;
        readonly q: string;
        readonly ref?: string;
        readonly regex?: boolean;
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['SearchResult'];
            readonly result_info: components['schemas']['CursorInfo'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly listTokens: {
    readonly parameters: {
      readonly query?: {
        readonly page?: number;
        readonly per_page?: number;
        readonly state?: 'active' | 'expired' | 'revoked' | 'all';
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['TokenInfo'][];
            readonly result_info: components['schemas']['OffsetInfo'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly listTree: {
    readonly parameters: {
      readonly query?: {
        readonly cursor?: string;
        readonly depth?: number;
        readonly limit?: number;
        readonly path?: string;
        readonly recursive?: boolean;
        readonly ref?: string;
      };
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['ListedEntry'][];
            readonly result_info: components['schemas']['CursorInfo'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getTree: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly hash: string;
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['TreeEntry'][];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly listRepoWebhooks: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['Webhook'][];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly createRepoWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @default true */
          readonly active?: boolean;
          readonly events?:
            | readonly (
                | 'created'
                | 'deleted'
                | 'forked'
                | 'imported'
                | 'renamed'
                | 'updated'
                | 'pushed'
                | 'cloned'
                | 'fetched'
                | 'token.created'
                | 'token.revoked'
              )[]
            | null;
          readonly refs?: readonly string[] | null;
          readonly secret?: string;
          /** Format: uri */
          readonly url: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['CreateWebhookResult'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getRepoWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
        readonly webhook_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Webhook'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly deleteRepoWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
        readonly webhook_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly updateRepoWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
        readonly webhook_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly active?: boolean;
          readonly events?:
            | readonly (
                | 'created'
                | 'deleted'
                | 'forked'
                | 'imported'
                | 'renamed'
                | 'updated'
                | 'pushed'
                | 'cloned'
                | 'fetched'
                | 'token.created'
                | 'token.revoked'
              )[]
            | null;
          readonly refs?: readonly string[] | null;
          readonly secret?: string;
          /** Format: uri */
          readonly url?: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Webhook'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly pingRepoWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly repo_name: string;
        readonly webhook_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['WebhookDelivery'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly createToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly repo: string;
          /**
           * @default write
           * @enum {string}
           */
          readonly scope?: 'read' | 'write';
          /** @default 86400 */
          readonly ttl?: number;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['CreateTokenResult'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly revokeToken: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly token_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: {
              /** @example k3v9p0x2m7q4w8zt */
              readonly id: string;
            };
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly listNamespaceWebhooks: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['Webhook'][];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly createNamespaceWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @default true */
          readonly active?: boolean;
          readonly events?:
            | readonly (
                | 'created'
                | 'deleted'
                | 'forked'
                | 'imported'
                | 'renamed'
                | 'updated'
                | 'pushed'
                | 'cloned'
                | 'fetched'
                | 'token.created'
                | 'token.revoked'
              )[]
            | null;
          readonly refs?: readonly string[] | null;
          readonly secret?: string;
          /** Format: uri */
          readonly url: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 201: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['CreateWebhookResult'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getNamespaceWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly webhook_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Webhook'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly deleteNamespaceWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly webhook_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Done */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly updateNamespaceWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly webhook_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          readonly active?: boolean;
          readonly events?:
            | readonly (
                | 'created'
                | 'deleted'
                | 'forked'
                | 'imported'
                | 'renamed'
                | 'updated'
                | 'pushed'
                | 'cloned'
                | 'fetched'
                | 'token.created'
                | 'token.revoked'
              )[]
            | null;
          readonly refs?: readonly string[] | null;
          readonly secret?: string;
          /** Format: uri */
          readonly url?: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['Webhook'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly pingNamespaceWebhook: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: never;
      readonly path: {
        readonly namespace: string;
        readonly webhook_id: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: components['schemas']['WebhookDelivery'];
            /** @enum {boolean} */
            readonly success: true;
          };
        };
      };
      /** @description Failure */
      readonly default: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['Failure'];
        };
      };
    };
  };
  readonly getAccountTags: {
    readonly parameters: {
      readonly query: {
        readonly resource_id: string;
        readonly resource_type:
          | 'access_application'
          | 'access_group'
          | 'account'
          | 'account_ruleset'
          | 'ai_gateway'
          | 'alerting_policy'
          | 'alerting_webhook'
          | 'cloudflared_tunnel'
          | 'cws_deployment'
          | 'cws_policy'
          | 'cws_policy_set'
          | 'cws_workload'
          | 'd1_database'
          | 'durable_object_namespace'
          | 'gateway_list'
          | 'gateway_rule'
          | 'image'
          | 'infrastructure_target'
          | 'kv_namespace'
          | 'load_balancer_monitor'
          | 'load_balancer_pool'
          | 'pages_project'
          | 'queue'
          | 'r2_bucket'
          | 'repository'
          | 'resource_share'
          | 'stream_live_input'
          | 'stream_video'
          | 'vectorize_index'
          | 'worker'
          | 'worker_version';
        /** @description With worker_version */
        readonly worker_id?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            /**
             * @example {
             *       "id": "k3v9p0x2m7q4w8zt",
             *       "type": "repository",
             *       "name": "default/notes",
             *       "tags": {
             *         "environment": "production",
             *         "team": "platform"
             *       },
             *       "etag": "v1:TQa2wNntoLzkR3dLOCiIug",
             *       "tags_updated_at": "2026-11-20T09:15:02.114Z"
             *     }
             */
            readonly result: components['schemas']['TaggedResource'];
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description 1003 resource_type and resource_id are required; 10100 Invalid query parameter: <name>; 1006 Invalid resource type */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Authentication error */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Insufficient permission */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 7003 No route for the URI */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10429 Rate limit exceeded */
      readonly 429: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10200 resource not found: type=<type> id=<id>; 10400 An internal error occurred. */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
    };
  };
  readonly setAccountTags: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Writes only if the tags have this etag now; * only if tags were set before */
        readonly 'If-Match'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @example k3v9p0x2m7q4w8zt */
          readonly resource_id: string;
          /**
           * @example repository
           * @enum {string}
           */
          readonly resource_type:
            | 'access_application'
            | 'access_group'
            | 'account'
            | 'account_ruleset'
            | 'ai_gateway'
            | 'alerting_policy'
            | 'alerting_webhook'
            | 'cloudflared_tunnel'
            | 'cws_deployment'
            | 'cws_policy'
            | 'cws_policy_set'
            | 'cws_workload'
            | 'd1_database'
            | 'durable_object_namespace'
            | 'gateway_list'
            | 'gateway_rule'
            | 'image'
            | 'infrastructure_target'
            | 'kv_namespace'
            | 'load_balancer_monitor'
            | 'load_balancer_pool'
            | 'pages_project'
            | 'queue'
            | 'r2_bucket'
            | 'repository'
            | 'resource_share'
            | 'stream_live_input'
            | 'stream_video'
            | 'vectorize_index'
            | 'worker'
            | 'worker_version';
          /**
           * @description All tags that the resource is to have; those not in here are removed
           * @example {
           *       "environment": "production",
           *       "team": "platform"
           *     }
           */
          readonly tags: {
            readonly [key: string]: string;
          };
          /** @description With worker_version */
          readonly worker_id?: string;
        };
      };
    };
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            /**
             * @example {
             *       "id": "k3v9p0x2m7q4w8zt",
             *       "type": "repository",
             *       "name": "default/notes",
             *       "tags": {
             *         "environment": "production",
             *         "team": "platform"
             *       },
             *       "etag": "v1:TQa2wNntoLzkR3dLOCiIug",
             *       "tags_updated_at": "2026-11-20T09:15:02.114Z"
             *     }
             */
            readonly result: components['schemas']['TaggedResource'];
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description 1002 Invalid set payload; 1011 tag key too long (maximum 256 characters); 1012 tag value too long (maximum 1024 characters); 1014 Invalid tag key; 10110 too many tags (maximum <maximum>); 1006 Invalid resource type */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Authentication error */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Insufficient permission */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10200 resource not found: type=<type> id=<id>; 7003 No route for the URI */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10412 etag does not match */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10413 Request body too large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10415 Unsupported media type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10429 Rate limit exceeded */
      readonly 429: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10400 An internal error occurred. */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
    };
  };
  readonly deleteAccountTags: {
    readonly parameters: {
      readonly query?: never;
      readonly header?: {
        /** @description Writes only if the tags have this etag now; * only if tags were set before */
        readonly 'If-Match'?: string;
      };
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody: {
      readonly content: {
        readonly 'application/json': {
          /** @example k3v9p0x2m7q4w8zt */
          readonly resource_id: string;
          /**
           * @example repository
           * @enum {string}
           */
          readonly resource_type:
            | 'access_application'
            | 'access_group'
            | 'account'
            | 'account_ruleset'
            | 'ai_gateway'
            | 'alerting_policy'
            | 'alerting_webhook'
            | 'cloudflared_tunnel'
            | 'cws_deployment'
            | 'cws_policy'
            | 'cws_policy_set'
            | 'cws_workload'
            | 'd1_database'
            | 'durable_object_namespace'
            | 'gateway_list'
            | 'gateway_rule'
            | 'image'
            | 'infrastructure_target'
            | 'kv_namespace'
            | 'load_balancer_monitor'
            | 'load_balancer_pool'
            | 'pages_project'
            | 'queue'
            | 'r2_bucket'
            | 'repository'
            | 'resource_share'
            | 'stream_live_input'
            | 'stream_video'
            | 'vectorize_index'
            | 'worker'
            | 'worker_version';
          /** @description With worker_version */
          readonly worker_id?: string;
        };
      };
    };
    readonly responses: {
      /** @description Done */
      readonly 204: {
        headers: {
          readonly [name: string]: unknown;
        };
        content?: never;
      };
      /** @description 1015 Invalid delete payload; 1006 Invalid resource type */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Authentication error */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Insufficient permission */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 7003 No route for the URI */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10412 etag does not match */
      readonly 412: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10413 Request body too large */
      readonly 413: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10415 Unsupported media type */
      readonly 415: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10429 Rate limit exceeded */
      readonly 429: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10400 An internal error occurred. */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
    };
  };
  readonly listTagKeys: {
    readonly parameters: {
      readonly query?: {
        /** @description From result_info: asks for the next page of the same list */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            /**
             * @example [
             *       "environment",
             *       "team"
             *     ]
             */
            readonly result: readonly string[];
            readonly result_info: components['schemas']['TagListInfo'];
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description 10100 Invalid query parameter: <name>; 10100 Invalid cursor */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Authentication error */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Insufficient permission */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 7003 No route for the URI */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10429 Rate limit exceeded */
      readonly 429: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10400 An internal error occurred. */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
    };
  };
  readonly listTaggedResources: {
    readonly parameters: {
      readonly query?: {
        /** @description Whether filters ignore case */
        readonly case_insensitive?: 'true' | 'false';
        /** @description From result_info: asks for the next page of the same list */
        readonly cursor?: string;
        /** @description With one of these ids */
        readonly id?: readonly string[];
        /** @description Whose name contains this, ignoring case */
        readonly name?: string;
        /**
         * @description A filter: key, !key, key=value,other or key!=value,other; several must all hold
         * @example [
         *       "environment=production"
         *     ]
         */
        readonly tag?: readonly string[];
        /** @description Of one of these types */
        readonly type?: readonly (
          | 'access_application'
          | 'access_application_policy'
          | 'access_group'
          | 'account'
          | 'account_ruleset'
          | 'ai_gateway'
          | 'alerting_policy'
          | 'alerting_webhook'
          | 'api_gateway_operation'
          | 'cloudflared_tunnel'
          | 'custom_certificate'
          | 'custom_hostname'
          | 'cws_deployment'
          | 'cws_policy'
          | 'cws_policy_set'
          | 'cws_workload'
          | 'd1_database'
          | 'dns_record'
          | 'durable_object_namespace'
          | 'gateway_list'
          | 'gateway_rule'
          | 'healthcheck'
          | 'image'
          | 'infrastructure_target'
          | 'kv_namespace'
          | 'load_balancer'
          | 'load_balancer_monitor'
          | 'load_balancer_pool'
          | 'managed_client_certificate'
          | 'pages_project'
          | 'queue'
          | 'r2_bucket'
          | 'repository'
          | 'resource_share'
          | 'stream_live_input'
          | 'stream_video'
          | 'vectorize_index'
          | 'worker'
          | 'worker_route'
          | 'worker_version'
          | 'zone'
          | 'zone_ruleset'
        )[];
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['TaggedResource'][];
            readonly result_info: components['schemas']['TagListInfo'];
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description 1010 too many tag filters (maximum 20); 1007 tag parameter must be in format...; 1011 tag key too long (maximum 256 characters); 1014 Invalid tag key; 1013 too many OR values in tag filter (maximum 10); 1012 tag value too long (maximum 1024 characters); 1006 Invalid resource type; 10100 Invalid query parameter: <name>; 10100 Invalid cursor */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Authentication error */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Insufficient permission */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 7003 No route for the URI */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10429 Rate limit exceeded */
      readonly 429: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10400 An internal error occurred. */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
    };
  };
  readonly listTagSummary: {
    readonly parameters: {
      readonly query?: {
        /** @description From result_info: asks for the next page of the same list */
        readonly cursor?: string;
      };
      readonly header?: never;
      readonly path?: never;
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            readonly result: readonly components['schemas']['TagSummary'][];
            readonly result_info: components['schemas']['TagListInfo'];
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description 10100 Invalid query parameter: <name>; 10100 Invalid cursor */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Authentication error */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Insufficient permission */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 7003 No route for the URI */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10429 Rate limit exceeded */
      readonly 429: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10400 An internal error occurred. */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
    };
  };
  readonly listTagValues: {
    readonly parameters: {
      readonly query?: {
        /** @description From result_info: asks for the next page of the same list */
        readonly cursor?: string;
        /** @description On resources of this type */
        readonly type?:
          | 'access_application'
          | 'access_application_policy'
          | 'access_group'
          | 'account'
          | 'account_ruleset'
          | 'ai_gateway'
          | 'alerting_policy'
          | 'alerting_webhook'
          | 'api_gateway_operation'
          | 'cloudflared_tunnel'
          | 'custom_certificate'
          | 'custom_hostname'
          | 'cws_deployment'
          | 'cws_policy'
          | 'cws_policy_set'
          | 'cws_workload'
          | 'd1_database'
          | 'dns_record'
          | 'durable_object_namespace'
          | 'gateway_list'
          | 'gateway_rule'
          | 'healthcheck'
          | 'image'
          | 'infrastructure_target'
          | 'kv_namespace'
          | 'load_balancer'
          | 'load_balancer_monitor'
          | 'load_balancer_pool'
          | 'managed_client_certificate'
          | 'pages_project'
          | 'queue'
          | 'r2_bucket'
          | 'repository'
          | 'resource_share'
          | 'stream_live_input'
          | 'stream_video'
          | 'vectorize_index'
          | 'worker'
          | 'worker_route'
          | 'worker_version'
          | 'zone'
          | 'zone_ruleset';
      };
      readonly header?: never;
      readonly path: {
        readonly tag_key: string;
      };
      readonly cookie?: never;
    };
    readonly requestBody?: never;
    readonly responses: {
      /** @description Success */
      readonly 200: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': {
            readonly errors: readonly unknown[];
            readonly messages: readonly unknown[];
            /**
             * @example [
             *       "production",
             *       "staging"
             *     ]
             */
            readonly result: readonly string[];
            readonly result_info: components['schemas']['TagListInfo'];
            /** @constant */
            readonly success: true;
          };
        };
      };
      /** @description 1009 tag_key is required; 1011 tag key too long (maximum 256 characters); 1014 Invalid tag key; 1006 Invalid resource type; 10100 Invalid query parameter: <name>; 10100 Invalid cursor */
      readonly 400: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Authentication error */
      readonly 401: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10000 Insufficient permission */
      readonly 403: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 7003 No route for the URI */
      readonly 404: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10429 Rate limit exceeded */
      readonly 429: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
      /** @description 10400 An internal error occurred. */
      readonly 500: {
        headers: {
          readonly [name: string]: unknown;
        };
        content: {
          readonly 'application/json': components['schemas']['TagFailure'];
        };
      };
    };
  };
}
