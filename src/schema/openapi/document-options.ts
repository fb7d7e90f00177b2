/** What the documents say that a scheme does not know. */
export interface DocumentOptions {
  readonly info: { readonly title: string; readonly version: string }
  readonly media?: MediaTypes
  /** The values of closed enumerations are stated too. */
  readonly enumerations?: boolean
  /** The server shows its log files. */
  readonly logs?: boolean
}

export interface MediaTypes {
  readonly objects: readonly string[]
  /** What a list or watch can be answered in beyond `objects`. */
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
