import type { QueryType, Subresource } from '../declaration.js'
import { compare } from './names.js'

/** A parameter in the path or query of a request. All operations share one object per parameter, so that identity is equality. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly type: QueryType
}

const queries = new Map<string, Parameter>()

export function queryParameter(name: string, type: QueryType = 'string'): Parameter {
  const key = `${name} ${type}`
  const known = queries.get(key)
  if (known) return known
  const parameter: Parameter = { name, in: 'query', type }
  queries.set(key, parameter)
  return parameter
}

/** The query parameters of a subresource. */
export function queryParameters({ query: options = {} }: Subresource): readonly Parameter[] {
  return Object.entries(options).map(([name, type]) => queryParameter(name, type))
}

export function pathParameter(name: string): Parameter {
  return { name, in: 'path', type: 'string' }
}

export const nameParameter = pathParameter('name')
export const namespaceParameter = pathParameter('namespace')
export const pretty = queryParameter('pretty')

const dryRun = queryParameter('dryRun')
const fieldManager = queryParameter('fieldManager')
const fieldValidation = queryParameter('fieldValidation')

export const writeParameters: readonly Parameter[] = [dryRun, fieldManager, fieldValidation]

export const patchParameters: readonly Parameter[] = [...writeParameters, queryParameter('force', 'boolean')]

export const deleteParameters: readonly Parameter[] = [
  dryRun,
  queryParameter('gracePeriodSeconds', 'integer'),
  queryParameter('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'),
  queryParameter('orphanDependents', 'boolean'),
  queryParameter('propagationPolicy'),
]

/** Parameters that select objects of a collection. */
const selection: readonly Parameter[] = [
  queryParameter('continue'),
  queryParameter('fieldSelector'),
  queryParameter('labelSelector'),
  queryParameter('limit', 'integer'),
  queryParameter('resourceVersion'),
  queryParameter('resourceVersionMatch'),
  queryParameter('sendInitialEvents', 'boolean'),
  queryParameter('shardSelector'),
  queryParameter('timeoutSeconds', 'integer'),
]

export const listParameters: readonly Parameter[] = [
  ...selection,
  queryParameter('allowWatchBookmarks', 'boolean'),
  queryParameter('watch', 'boolean'),
]

export const deleteCollectionParameters: readonly Parameter[] = [...selection, ...deleteParameters]

/** Sorts by name, and path parameters before query parameters of the same name. */
export function sortedParameters(parameters: Iterable<Parameter>): Parameter[] {
  return [...parameters].sort((a, b) => compare(a.name, b.name) || compare(a.in, b.in))
}
