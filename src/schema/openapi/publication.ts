import type { Parameter } from './parameters.js'

/** What the documents say that a scheme does not know. */
export interface Publication {
  readonly info: { readonly title: string; readonly version: string }
  readonly serving: ServingFacts
  readonly media?: MediaTypes
  /** The values of closed enumerations are stated too. */
  readonly enumerations?: boolean
  /** The server shows its log files. */
  readonly logs?: boolean
}

/** Facts about kinds and subresources that their declarations do not carry. Types go by their declared names. */
export interface ServingFacts {
  /** Deleting an object of these kinds is answered with the object, not with a `Status`. */
  readonly returnedWhenDeleted: ReadonlySet<string>
  /** Kinds that travel without `apiVersion` and `kind`. */
  readonly untyped: ReadonlySet<string>
  /** Subresources that take options in the query, such as `core/v1.Pod/log`. */
  readonly subresources: Readonly<Record<string, SubresourceFacts>>
}

export interface SubresourceFacts {
  readonly parameters: readonly Parameter[]
  /** Answers text, not an object. */
  readonly text?: boolean
  /** The path goes on behind the subresource, and is handed through. */
  readonly path?: Parameter
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
