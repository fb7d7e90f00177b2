/** Contents of the documents that do not derive from a scheme. */
export interface DocumentOptions {
  readonly info: { readonly title: string; readonly version: string }
  readonly media?: MediaTypes
  /** Publishes the values of closed enumerations. */
  readonly enumerations?: boolean
  /** Publishes the endpoints for the log files of the server. */
  readonly logs?: boolean
}

export interface MediaTypes {
  readonly objects: readonly string[]
  /** Further media types of list and watch responses. */
  readonly streams: readonly string[]
  readonly patches: readonly string[]
}

export const builtinMedia: MediaTypes = {
  objects: ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf'],
  streams: ['application/json;stream=watch', 'application/vnd.kubernetes.protobuf;stream=watch'],
  patches: [
    'application/json-patch+json',
    'application/merge-patch+json',
    'application/strategic-merge-patch+json',
    'application/apply-patch+yaml',
  ],
}
