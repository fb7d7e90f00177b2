import { ApiError, badRequest, expired } from '../../api/errors.js'
import { ValueError } from '../../schema/value-error.js'
import { CompactedError } from '../../storage/errors.js'
import type { CachedObject } from '../cache/cached-object.js'
import type { ListResponse } from '../response/response.js'
import { decodeContinue, encodeContinue, latest } from './continue-token.js'
import { waitForRevision } from './freshness.js'
import { type ListRequestOptions, listOptions, parseRevision, ResourceVersionError } from './list-options.js'
import { type ObjectSelection, selectObjects } from './object-selection.js'
import type { ReadScope } from './verb-scope.js'

/** Which revision and which page of a collection a list returns. */
interface PageRequest {
  /** Whether the list must be of exactly this revision; otherwise it may be newer. */
  readonly isExact: boolean
  /** 0: any revision. Undefined: every write that was acknowledged so far. */
  readonly revision: number | undefined
  /** The revision as the client wrote it. */
  readonly requested: string
  /** The last key of the previous page. */
  readonly after?: string
  /** 0 means no limit. */
  readonly limit: number
}

/** Lists a collection. Returns no promise unless it must wait. */
export function list(scope: ReadScope): ListResponse | Promise<ListResponse> {
  return listWith(scope, listOptions(scope.context.request.query))
}

/** Lists a collection with the objects that are not initialized yet. */
export function listEverything(scope: ReadScope): ListResponse | Promise<ListResponse> {
  return listWith(scope, { ...listOptions(scope.context.request.query), includeUninitialized: true })
}

function listWith(scope: ReadScope, options: ListRequestOptions): ListResponse | Promise<ListResponse> {
  const selection = selectObjects(scope, options)
  const pageRequest = pageRequestOf(options, selection)
  const waiting =
    pageRequest.revision === undefined
      ? scope.store.waitUntilCurrent()
      : waitForRevision(scope, pageRequest.revision, pageRequest.requested)
  const respond = () => respondAt(scope, selection, pageRequest)
  return waiting ? waiting.then(respond) : respond()
}

function pageRequestOf(options: ListRequestOptions, { isOne, prefix }: ObjectSelection): PageRequest {
  const { resourceVersion: requested, resourceVersionMatch: match } = options
  const limit = isOne ? 0 : Math.max(options.limit, 0)
  if (options.continueToken !== '') return continued(options, prefix, limit)
  if (requested === '') return { isExact: false, revision: undefined, requested, limit }
  const revision = revisionOf(requested)
  const isExact = match === 'Exact' || (match === '' && limit > 0 && revision > 0)
  return { isExact, revision, requested, limit: requested === '0' ? 0 : limit }
}

function continued({ continueToken, resourceVersion }: ListRequestOptions, prefix: string, limit: number): PageRequest {
  const { revision, after: start } = decodeToken(continueToken)
  if (resourceVersion !== '' && resourceVersion !== '0')
    throw badRequest('specifying resource version is not allowed when using continue')
  const after = prefix + start
  return revision === latest
    ? { isExact: false, revision: undefined, requested: '', after, limit }
    : { isExact: true, revision, requested: `${revision}`, after, limit }
}

function decodeToken(token: string) {
  try {
    return decodeContinue(token)
  } catch (error) {
    throw error instanceof ValueError ? badRequest(`invalid continue token: ${error.message}`) : error
  }
}

function revisionOf(text: string): number {
  try {
    return parseRevision(text)
  } catch (error) {
    throw error instanceof ResourceVersionError ? badRequest(`invalid resource version: ${error.message}`) : error
  }
}

/** The objects that were read, before selectors are applied. */
interface ReadResult {
  readonly objects: readonly CachedObject[]
  readonly revision: number
  /** The number of objects after those that were read. */
  readonly remaining: number
}

function respondAt(
  scope: ReadScope,
  selection: ObjectSelection,
  pageRequest: PageRequest,
): ListResponse | Promise<ListResponse> {
  const { revision, isExact } = pageRequest
  if (isExact && revision! < scope.store.revision)
    return readPast(selection, pageRequest).then((result) => pageResponse(scope, selection, pageRequest, result))
  return pageResponse(scope, selection, pageRequest, readPresent(scope, selection, pageRequest))
}

/** Upper bound of objects to read. With selectors it is not known beforehand. */
function readLimit({ isEverything }: ObjectSelection, { limit }: PageRequest): number | undefined {
  return isEverything && limit > 0 ? limit : undefined
}

function readPresent({ store }: ReadScope, selection: ObjectSelection, pageRequest: PageRequest): ReadResult {
  const { after } = pageRequest
  const { prefix } = selection
  const limit = readLimit(selection, pageRequest)
  const objects = selection.objects.list(prefix, after, limit)
  const remaining = limit === undefined ? 0 : selection.objects.count(prefix, after) - objects.length
  return { objects, revision: store.revision, remaining }
}

async function readPast(selection: ObjectSelection, pageRequest: PageRequest): Promise<ReadResult> {
  const { after } = pageRequest
  const revision = pageRequest.revision!
  const limit = readLimit(selection, pageRequest)
  const query = { prefix: selection.prefix, revision, ...(after !== undefined && { after }), ...(limit && { limit }) }
  try {
    return { ...(await selection.objects.listAt(query)), revision }
  } catch (error) {
    throw error instanceof CompactedError ? tooOld(selection, pageRequest) : error
  }
}

function pageResponse(
  scope: ReadScope,
  selection: ObjectSelection,
  pageRequest: PageRequest,
  result: ReadResult,
): ListResponse {
  const { resource, representation, context } = scope
  const { objects, revision } = result
  const page = matchingPage(objects, selection, pageRequest.limit)
  const remaining = objects.length - page.seen + result.remaining
  context.decision = `listed ${page.matching.length}`
  context.reason = `as of revision ${revision}`
  return {
    is: 'list',
    type: resource.type,
    items: page.matching.map((cached) => resource.served(cached)),
    revision,
    representation,
    ...(remaining > 0 && {
      continue: encodeContinue({ revision, after: objects[page.seen - 1]!.key.slice(selection.prefix.length) }),
      ...(selection.isEverything && { remaining }),
    }),
  }
}

interface MatchResult {
  readonly matching: readonly CachedObject[]
  /** The number of objects that were examined. */
  readonly seen: number
}

/** Returns the objects that match, up to the limit. */
function matchingPage(
  objects: readonly CachedObject[],
  { isEverything, matches }: ObjectSelection,
  limit: number,
): MatchResult {
  if (isEverything) return { matching: objects, seen: objects.length }
  const matching: CachedObject[] = []
  for (const [index, cached] of objects.entries()) {
    if (!matches(cached)) continue
    matching.push(cached)
    if (matching.length === limit) return { matching, seen: index + 1 }
  }
  return { matching, seen: objects.length }
}

/** The error for a compacted revision. Its continue token lets the client continue with the current objects. */
function tooOld({ prefix }: ObjectSelection, { after }: PageRequest): ApiError {
  if (after === undefined) return expired('The resourceVersion for the provided list is too old.')
  const error = expired(
    'The provided continue parameter is too old to display a consistent list result. You can start a new list without ' +
      'the continue parameter, or use the continue token in this response to retrieve the remainder of the results. ' +
      'Continuing with the provided token results in an inconsistent list - objects that were created, modified, or ' +
      'deleted between the time the first chunk was returned and now may show up in the list.',
  )
  const token = encodeContinue({ revision: latest, after: after.slice(prefix.length) })
  return new ApiError({ ...error.status(), metadata: { continue: token } })
}
