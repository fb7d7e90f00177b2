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

/** As of when a list is to be, and from where on. */
interface Moment {
  /** Exactly that revision; otherwise at least that one. */
  readonly isExact: boolean
  /** 0: whatever is at hand. Undefined: everything that was acknowledged so far. */
  readonly revision: number | undefined
  /** As the client wrote it. */
  readonly asked: string
  /** The last key of the page before. */
  readonly after?: string
  /** 0 is none. */
  readonly limit: number
}

/** At once, unless something must be waited for. */
export function list(scope: ReadScope): ListResponse | Promise<ListResponse> {
  return listWith(scope, listOptions(scope.context.request.query))
}

/** What is there of a collection, whether or not everybody may see it. */
export function listEverything(scope: ReadScope): ListResponse | Promise<ListResponse> {
  return listWith(scope, { ...listOptions(scope.context.request.query), includeUninitialized: true })
}

function listWith(scope: ReadScope, options: ListRequestOptions): ListResponse | Promise<ListResponse> {
  const chosen = selectObjects(scope, options)
  const moment = momentOf(options, chosen)
  const waiting =
    moment.revision === undefined
      ? scope.store.waitUntilCurrent()
      : waitForRevision(scope, moment.revision, moment.asked)
  const response = () => answerAt(scope, chosen, moment)
  return waiting ? waiting.then(response) : response()
}

function momentOf(options: ListRequestOptions, { isOne, prefix }: ObjectSelection): Moment {
  const { resourceVersion: asked, resourceVersionMatch: match } = options
  const limit = isOne ? 0 : Math.max(options.limit, 0)
  if (options.continueToken !== '') return continued(options, prefix, limit)
  if (asked === '') return { isExact: false, revision: undefined, asked, limit }
  const revision = revisionOf(asked)
  const isExact = match === 'Exact' || (match === '' && limit > 0 && revision > 0)
  return { isExact, revision, asked, limit: asked === '0' ? 0 : limit }
}

function continued({ continueToken, resourceVersion }: ListRequestOptions, prefix: string, limit: number): Moment {
  const { revision, after: start } = decoded(continueToken)
  if (resourceVersion !== '' && resourceVersion !== '0')
    throw badRequest('specifying resource version is not allowed when using continue')
  const after = prefix + start
  return revision === latest
    ? { isExact: false, revision: undefined, asked: '', after, limit }
    : { isExact: true, revision, asked: `${revision}`, after, limit }
}

function decoded(token: string) {
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

/** What was read, before anything is chosen from it. */
interface Reading {
  readonly objects: readonly CachedObject[]
  readonly revision: number
  /** How many lie beyond what was read. */
  readonly remaining: number
}

function answerAt(scope: ReadScope, chosen: ObjectSelection, moment: Moment): ListResponse | Promise<ListResponse> {
  const { revision, isExact } = moment
  if (isExact && revision! < scope.store.revision)
    return readPast(chosen, moment).then((reading) => page(scope, chosen, moment, reading))
  return page(scope, chosen, moment, readPresent(scope, chosen, moment))
}

/** How many to read at most: where objects are chosen from what is read, that is not known beforehand. */
function readingLimit({ isEverything }: ObjectSelection, { limit }: Moment): number | undefined {
  return isEverything && limit > 0 ? limit : undefined
}

function readPresent({ store }: ReadScope, chosen: ObjectSelection, moment: Moment): Reading {
  const { after } = moment
  const { prefix } = chosen
  const limit = readingLimit(chosen, moment)
  const objects = chosen.objects.list(prefix, after, limit)
  const remaining = limit === undefined ? 0 : chosen.objects.count(prefix, after) - objects.length
  return { objects, revision: store.revision, remaining }
}

async function readPast(chosen: ObjectSelection, moment: Moment): Promise<Reading> {
  const { after } = moment
  const revision = moment.revision!
  const limit = readingLimit(chosen, moment)
  const query = { prefix: chosen.prefix, revision, ...(after !== undefined && { after }), ...(limit && { limit }) }
  try {
    return { ...(await chosen.objects.listAt(query)), revision }
  } catch (error) {
    throw error instanceof CompactedError ? tooOld(chosen, moment) : error
  }
}

function page(scope: ReadScope, chosen: ObjectSelection, moment: Moment, reading: Reading): ListResponse {
  const { resource, representation, context } = scope
  const { objects, revision } = reading
  const taken = take(objects, chosen, moment.limit)
  const remaining = objects.length - taken.seen + reading.remaining
  context.decision = `listed ${taken.chosen.length}`
  context.reason = `as of revision ${revision}`
  return {
    is: 'list',
    type: resource.type,
    items: taken.chosen.map((cached) => resource.served(cached)),
    revision,
    representation,
    ...(remaining > 0 && {
      continue: encodeContinue({ revision, after: objects[taken.seen - 1]!.key.slice(chosen.prefix.length) }),
      ...(chosen.isEverything && { remaining }),
    }),
  }
}

interface Taken {
  readonly chosen: readonly CachedObject[]
  /** How many were looked at. */
  readonly seen: number
}

/** Objects that match, up to the limit. */
function take(objects: readonly CachedObject[], { isEverything, matches }: ObjectSelection, limit: number): Taken {
  if (isEverything) return { chosen: objects, seen: objects.length }
  const chosen: CachedObject[] = []
  for (const [place, cached] of objects.entries()) {
    if (!matches(cached)) continue
    chosen.push(cached)
    if (chosen.length === limit) return { chosen, seen: place + 1 }
  }
  return { chosen, seen: objects.length }
}

/** The past that was asked for is gone. Whoever was in the middle of a list may go on with what is there now, if they wish. */
function tooOld({ prefix }: ObjectSelection, { after }: Moment): ApiError {
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
