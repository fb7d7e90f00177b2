import type { QueryType, Subresource } from '../declaration.js'
import { compare } from './names.js'

/** A value in a request's path or query. Each is one object for all operations: they are told apart by identity. */
export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly type: QueryType
}

const queries = new Map<string, Parameter>()

export function query(name: string, type: QueryType = 'string'): Parameter {
  const key = `${name} ${type}`
  const known = queries.get(key)
  if (known) return known
  const parameter: Parameter = { name, in: 'query', type }
  queries.set(key, parameter)
  return parameter
}

/** The options that a subresource takes. */
export function queryParameters({ query: options = {} }: Subresource): readonly Parameter[] {
  return Object.entries(options).map(([name, type]) => query(name, type))
}

export function inPath(name: string): Parameter {
  return { name, in: 'path', type: 'string' }
}

export const nameParameter = inPath('name')
export const namespaceParameter = inPath('namespace')
export const pretty = query('pretty')

const dryRun = query('dryRun')
const fieldManager = query('fieldManager')
const fieldValidation = query('fieldValidation')

export const writeParameters: readonly Parameter[] = [dryRun, fieldManager, fieldValidation]

export const patchParameters: readonly Parameter[] = [...writeParameters, query('force', 'boolean')]

export const deleteParameters: readonly Parameter[] = [
  dryRun,
  query('gracePeriodSeconds', 'integer'),
  query('ignoreStoreReadErrorWithClusterBreakingPotential', 'boolean'),
  query('orphanDependents', 'boolean'),
  query('propagationPolicy'),
]

/** What chooses the objects of a list, for whatever is then done with them. */
const selection: readonly Parameter[] = [
  query('continue'),
  query('fieldSelector'),
  query('labelSelector'),
  query('limit', 'integer'),
  query('resourceVersion'),
  query('resourceVersionMatch'),
  query('sendInitialEvents', 'boolean'),
  query('shardSelector'),
  query('timeoutSeconds', 'integer'),
]

export const listParameters: readonly Parameter[] = [
  ...selection,
  query('allowWatchBookmarks', 'boolean'),
  query('watch', 'boolean'),
]

export const deleteCollectionParameters: readonly Parameter[] = [...selection, ...deleteParameters]

/** In the order of their names; of two with one name, that of the path first. */
export function sorted(parameters: Iterable<Parameter>): Parameter[] {
  return [...parameters].sort((a, b) => compare(a.name, b.name) || compare(a.in, b.in))
}
