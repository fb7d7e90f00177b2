import { isIP } from 'node:net'
import { ApiError } from '../../api/errors.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'
import { formatMicroTime } from '../../schema/values/time.js'
import type { RequestContext, RequestResult } from '../request/request-context.js'
import type { RequestUser } from '../request/user.js'
import type { ApiResponse, ListResponse } from '../response/response.js'
import type { AuditLevel, AuditStage } from './policy.js'

/** An event of `audit.k8s.io/v1`. */
export type AuditEvent = Readonly<Record<string, unknown>>

export interface AuditEventInput {
  readonly context: RequestContext
  readonly level: AuditLevel
  readonly stage: AuditStage
  /** In milliseconds since the epoch. */
  readonly at: number
  /** The authenticated user. */
  readonly user: RequestUser
  readonly annotations: Readonly<Record<string, string>>
  readonly outcome?: RequestResult | undefined
  /** The object that the client sent. */
  readonly sent?: SentObject | undefined
  readonly requestObject?: unknown
  readonly responseObject?: unknown
}

/** An object that a client sent; options have no metadata. */
export interface SentObject {
  readonly metadata?: ObjectMeta
}

/** Returns the name, namespace and other identifying metadata of an object. */
export function objectReference({ metadata }: SentObject): SentObject {
  if (!metadata) return {}
  const { name, namespace, uid, resourceVersion } = metadata
  return { metadata: { name, namespace, uid, resourceVersion } as ObjectMeta }
}

export function auditEvent(parts: AuditEventInput): AuditEvent {
  const { context, level, stage, at, user, annotations, outcome, sent, requestObject, responseObject } = parts
  const { id, info, received, user: actsAs } = context
  return {
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    level,
    auditID: id,
    stage,
    requestURI: uriOf(context),
    verb: info.verb,
    user: userOf(user),
    ...(actsAs !== user && user.name !== '' && outcome && { impersonatedUser: userOf(actsAs) }),
    ...(context.impersonation?.constraint && {
      authenticationMetadata: { impersonationConstraint: context.impersonation.constraint },
    }),
    sourceIPs: sourceAddresses(context),
    ...(context.request.headers['user-agent'] && { userAgent: context.request.headers['user-agent'] }),
    ...(info.isResource && { objectRef: objectRef(context, sent, responseObject as SentObject | undefined) }),
    ...(outcome && { responseStatus: responseStatus(outcome) }),
    ...(requestObject !== undefined && { requestObject }),
    ...(responseObject !== undefined && { responseObject }),
    requestReceivedTimestamp: formatMicroTime(received),
    stageTimestamp: formatMicroTime(at),
    ...(Object.keys(annotations).length > 0 && { annotations }),
  }
}

function uriOf({ request: { path, query } }: RequestContext): string {
  const search = query.toString()
  return `${encodeURI(path)}${search === '' ? '' : `?${search}`}`
}

function userOf({ name, uid, groups, extra }: RequestUser): object {
  return {
    ...(name !== '' && { username: name }),
    ...(uid !== '' && { uid }),
    ...(groups.length > 0 && { groups }),
    ...(Object.keys(extra).length > 0 && { extra }),
  }
}

/** Returns the addresses of the client and of proxies, as headers name them, and last the peer of the connection. Each once. */
function sourceAddresses({ request: { headers, peer } }: RequestContext): readonly string[] {
  const forwarded = [headers['x-forwarded-for'] ?? ''].flat().flatMap((value) => value.split(','))
  const all = [...forwarded, ...[headers['x-real-ip'] ?? ''].flat(), peer.address].map((address) => address.trim())
  return [...new Set(all.filter((address) => isIP(address) !== 0))]
}

/** Takes from the sent object what the path leaves out; a generated name from the response. */
function objectRef({ info }: RequestContext, sent: SentObject = {}, answered: SentObject = {}): object {
  const { resource, group, version, subresource } = info
  const [given, made] = [sent.metadata ?? {}, answered.metadata ?? {}]
  const namespace = info.namespace || given.namespace
  const name = info.name || given.name || (info.verb === 'create' ? made.name : undefined)
  const uid = given.uid || made.uid
  const resourceVersion = given.resourceVersion || made.resourceVersion
  return {
    resource,
    ...(namespace && { namespace }),
    ...(name && { name }),
    ...(uid && { uid }),
    ...(group !== '' && { apiGroup: group }),
    apiVersion: version,
    ...(resourceVersion && { resourceVersion }),
    ...(subresource !== '' && { subresource }),
  }
}

function responseStatus({ code, error }: RequestResult): object {
  if (!(error instanceof ApiError)) return { metadata: {}, code }
  const { status, message, reason } = error.status()
  return { metadata: {}, status, message, ...(reason && { reason }), code }
}

/** Returns the response if it is an object or a list. */
export function responseObject(response: ApiResponse | undefined, { error }: RequestResult): unknown {
  if (error instanceof ApiError) return error.status()
  if (response?.is === 'object') return response.object.object
  return response?.is === 'list' ? listObject(response) : undefined
}

function listObject({ type, items, revision, continue: next }: ListResponse): object {
  const { kind, apiVersion } = type.kind!
  const metadata = { resourceVersion: String(revision), ...(next !== undefined && { continue: next }) }
  return { kind: `${kind}List`, apiVersion, metadata, items: items.map(({ object }) => object) }
}

/** Removes managed fields, which are often larger than the rest. */
export function withoutManagedFields(object: unknown): unknown {
  if (typeof object !== 'object' || object === null) return object
  const { metadata, items } = object as { readonly metadata?: object; readonly items?: readonly unknown[] }
  const { managedFields, ...rest } = (metadata ?? {}) as Record<string, unknown>
  return {
    ...object,
    ...(metadata && { metadata: rest }),
    ...(Array.isArray(items) && { items: items.map(withoutManagedFields) }),
  }
}
