/** Advice for clients on each code of the REST API, as inline Markdown. */
export const repoAdvice: Readonly<Record<number, string>> = {
  7001: 'The address is right, the method is not. The header `Allow` of the reply lists the methods of this address.',
  7003: 'Check the address: the base path, the account, and that no slash stands at the end. [The list of operations](/docs) has every address.',
  10000:
    'With 401, send `Authorization: Bearer` with an API token of this server; the token of a repository is for Git alone. With 403, the API token is known, but it is not for this account or not for this operation.',
  10100:
    'The message says what the value must be, and `source.pointer` where it stands. Without a pointer the body is not a JSON object. Correct the request and send it again.',
  10101: 'Choose a name that begins with a letter or digit and holds letters, digits, `.`, `_` and `-` alone.',
  10103: 'Send `ttl` as a whole number of seconds within these bounds, or leave it out.',
  10104: 'Send the HTTPS address of a public repository, without a user name or password in it.',
  10106: 'The other host asks for credentials. Clone the repository yourself, create one here, and push to it.',
  10200: 'There is nothing of this name or id. Check how the namespace, the repository and the rest are spelt.',
  10201: 'The name is taken. Choose another one, or use what is there.',
  10202: 'Delete the repositories of the namespace first.',
  10301: 'Wait for the seconds of `Retry-After`, and send the request again.',
  10302: 'Wait for the seconds of `Retry-After`, and send the request again.',
  10303: 'Wait for the seconds of `Retry-After`, and send the request again.',
  10305: 'The namespace is being deleted. Wait until it is gone, or use another name.',
  10400:
    'Something failed inside the server. The request was done as a whole or not at all: look which before you send it again. If it fails again, give the operator the request id from the headers of the reply.',
  10401: 'The other host did not answer as a Git server does. Check the address, and try again later.',
  10402:
    'The repository or the request is larger than this server takes. Import less of it with `depth` or `branch`, or ask the operator for a higher limit.',
  10413: 'Send a smaller body. The operator can raise the limit with the setting `rest_body_max`.',
  10415: 'Send JSON in UTF-8, with `Content-Type: application/json`.',
  10429: 'Wait for the seconds of `Retry-After`, and send fewer requests.',
  10503:
    'Wait for the seconds of `Retry-After`, and send the request again. If that does not help, the operator has to look at the server.',
  10507: 'The operator has to make room on the disk. Reading goes on working.',
};

/** Advice for clients on codes that only tagging has, or that have another meaning there. */
export const tagAdvice: Readonly<Record<number, string>> = {
  1002: 'Send a JSON object with the texts `resource_type` and `resource_id`, and `tags`, an object whose values are texts. Some types also need the id of their parent.',
  1003: 'Send both parameters, each once and not empty.',
  1006: 'Check how the type is spelt, and that it belongs to accounts or to zones, as the address does.',
  1007: 'Write a filter as `key`, `!key`, `key=value`, `key=one,other` or `key!=value`, percent-encoded. `messages` says which filter cannot be read.',
  1009: 'Put the key at the end of the address.',
  1010: 'Send at most 20 parameters `tag`.',
  1011: 'Choose a shorter key.',
  1012: 'Choose a shorter value.',
  1013: 'List at most 10 values in one filter.',
  1014: 'A key has letters, digits, `_`, `.` and `-` alone, and at least one of them.',
  1015: 'Send a JSON object with the texts `resource_type` and `resource_id`. Some types also need the id of their parent. Some clients send no body with DELETE unless told to.',
  10100: 'The message names the parameter. Send a cursor with the same filters that it came with.',
  10110: 'Remove tags that are not needed, or ask the operator for a higher limit.',
  10200:
    'The resource does not exist, or has never been tagged. For the latter the status may be 500, as the setting `tags_not_found` says.',
  10402:
    'The request needs more memory than the server gives to one. Ask for less at a time, or ask the operator for a higher limit.',
  10412: 'The tags have changed since you read them. Read them again, and send the change with the new `etag`.',
};
