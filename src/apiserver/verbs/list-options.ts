import { badRequest, invalid } from '../../api/errors.js'
import { FieldSelector } from '../../api/selectors/field-selector.js'
import { LabelSelector } from '../../api/selectors/label-selector.js'
import { type FieldError, forbidden, notSupported } from '../../schema/field-errors.js'
import { fieldPath } from '../../schema/field-path.js'
import { quote } from '../../schema/quote.js'
import { ValueError } from '../../schema/value-error.js'
import { isTrue } from '../request/request-info.js'

/** The query parameters of a list or watch. */
export interface ListRequestOptions {
  readonly labels: LabelSelector
  readonly fields: FieldSelector
  readonly allowBookmarks: boolean
  readonly resourceVersion: string
  readonly resourceVersionMatch: string
  readonly timeoutSeconds: number | undefined
  readonly limit: number
  readonly continueToken: string
  readonly sendInitialEvents: boolean | undefined
  readonly includeUninitialized: boolean
}

/** Reads the query, and rejects combinations that are not allowed. */
export function listOptions(query: URLSearchParams): ListRequestOptions {
  const options = decode(query)
  const errors = isTrue(query.get('watch')) ? watchErrors(options) : listErrors(options)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', errors)
  return options
}

/** Reads numbers before selectors, as upstream does: the client sees the first error. */
function decode(query: URLSearchParams): ListRequestOptions {
  const text = (name: string) => query.get(name) ?? ''
  const timeoutSeconds = query.has('timeoutSeconds') ? integer(text('timeoutSeconds')) : undefined
  const limit = query.has('limit') ? integer(text('limit')) : 0
  return {
    timeoutSeconds,
    limit,
    labels: parse(() => LabelSelector.parse(text('labelSelector'))),
    fields: parse(() => FieldSelector.parse(text('fieldSelector'))),
    allowBookmarks: isTrue(query.get('allowWatchBookmarks')),
    resourceVersion: text('resourceVersion'),
    resourceVersionMatch: text('resourceVersionMatch'),
    continueToken: text('continue'),
    sendInitialEvents: query.has('sendInitialEvents') ? isTrue(query.get('sendInitialEvents')) : undefined,
    includeUninitialized: isTrue(query.get('includeUninitialized')),
  }
}

/** Runs a parser, and turns its error into a bad request. */
function parse<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw error instanceof ValueError ? badRequest(error.message) : error
  }
}

const largestInteger = 2n ** 63n - 1n

function integer(text: string): number {
  if (!/^[+-]?[0-9]+$/.test(text)) throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: invalid syntax`)
  const value = BigInt(text.replace('+', ''))
  if (value > largestInteger || value < -largestInteger - 1n)
    throw badRequest(`strconv.ParseInt: parsing ${quote(text)}: value out of range`)
  return Number(value)
}

const matchPath = fieldPath('resourceVersionMatch')
const afterContinue = forbidden(matchPath, 'resourceVersionMatch is forbidden when continue is provided')

function listErrors({
  resourceVersion,
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListRequestOptions): FieldError[] {
  const errors: FieldError[] = []
  if (match !== '') {
    if (resourceVersion === '')
      errors.push(forbidden(matchPath, 'resourceVersionMatch is forbidden unless resourceVersion is provided'))
    if (continueToken !== '') errors.push(afterContinue)
    if (match !== 'Exact' && match !== 'NotOlderThan')
      errors.push(notSupported(matchPath, match, ['Exact', 'NotOlderThan', '']))
    if (match === 'Exact' && resourceVersion === '0')
      errors.push(forbidden(matchPath, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'))
  }
  if (sendInitialEvents !== undefined)
    errors.push(forbidden(fieldPath('sendInitialEvents'), 'sendInitialEvents is forbidden for list'))
  return errors
}

function watchErrors({
  resourceVersionMatch: match,
  continueToken,
  sendInitialEvents,
}: ListRequestOptions): FieldError[] {
  const errors: FieldError[] = []
  if (sendInitialEvents !== undefined && match !== 'NotOlderThan')
    errors.push(forbidden(matchPath, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'))
  if (match !== '') {
    if (sendInitialEvents === undefined)
      errors.push(
        forbidden(matchPath, 'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided'),
      )
    if (match !== 'NotOlderThan') errors.push(notSupported(matchPath, match, ['NotOlderThan']))
  }
  if (continueToken !== '') errors.push(afterContinue)
  return errors
}

/** A resource version that cannot be parsed, with upstream's message. */
export class ResourceVersionError extends Error {}

const largestRevision = 2n ** 64n - 1n

/** Parses a resource version. Empty and 0 mean any. */
export function parseRevision(text: string): number {
  if (text === '') return 0
  const wrong = (why: string) =>
    new ResourceVersionError(
      `resourceVersion: Invalid value: ${quote(text)}: strconv.ParseUint: parsing ${quote(text)}: ${why}`,
    )
  if (!/^[0-9]+$/.test(text)) throw wrong('invalid syntax')
  if (BigInt(text) > largestRevision) throw wrong('value out of range')
  return Number(text)
}
