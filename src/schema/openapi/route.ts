import type { LinkedType } from '../model.js'
import type { PublishedKind } from './extensions.js'
import { type Parameter, sortedParameters } from './parameters.js'

/** A path and what can be done there, before it is written in either version of OpenAPI. */
export interface Route {
  /** With the names of its parameters in braces. */
  readonly path: string
  readonly operations: readonly RouteOperation[]
}

export interface RouteOperation {
  readonly method: RouteMethod
  /** Unique within a document. */
  readonly id: string
  readonly tag: string
  /** What the operation is to an API object, if it is about one. */
  readonly action?: string
  readonly about?: PublishedKind
  readonly parameters: readonly Parameter[]
  readonly body?: RouteBody
  readonly consumes: readonly string[]
  readonly produces: readonly string[]
  /** Codes of answers that carry something, and what. */
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

/** Parameters that every operation of `route` takes; documents state them once, for the path. */
export function commonParameters({ operations }: Route): ReadonlySet<Parameter> {
  const [first, ...others] = operations.map(({ parameters }) => new Set(parameters))
  return new Set(sortedParameters(first ?? []).filter((parameter) => others.every((taken) => taken.has(parameter))))
}
