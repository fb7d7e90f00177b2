import type { LinkedType } from '../model.js'
import type { PublishedKind } from './extensions.js'
import { type Parameter, sortedParameters } from './parameters.js'

/** A path and its operations, independent of the OpenAPI version. */
export interface Route {
  /** With parameters in braces: `/api/v1/nodes/{name}`. */
  readonly path: string
  readonly operations: readonly RouteOperation[]
}

export interface RouteOperation {
  readonly method: RouteMethod
  /** Unique within a document. */
  readonly id: string
  readonly tag: string
  /** The `x-kubernetes-action`, for operations on API objects. */
  readonly action?: string
  readonly about?: PublishedKind
  readonly parameters: readonly Parameter[]
  readonly body?: RouteBody
  readonly consumes: readonly string[]
  readonly produces: readonly string[]
  /** The types of response bodies by status code. */
  readonly responses: Readonly<Record<number, LinkedType>>
}

export type RouteMethod = 'get' | 'put' | 'post' | 'delete' | 'options' | 'head' | 'patch'

export interface RouteBody {
  readonly type: LinkedType
  readonly required: boolean
}

export const anyMediaType: readonly string[] = ['*/*']

export const plainText: LinkedType = { is: 'string' }

export const phrases: Readonly<Record<number, string>> = {
  200: 'OK',
  201: 'Created',
  202: 'Accepted',
  401: 'Unauthorized',
}

/** Parameters that all operations of `route` have. Documents list them once for the path. */
export function commonParameters({ operations }: Route): ReadonlySet<Parameter> {
  const [first, ...others] = operations.map(({ parameters }) => new Set(parameters))
  return new Set(sortedParameters(first ?? []).filter((parameter) => others.every((taken) => taken.has(parameter))))
}
