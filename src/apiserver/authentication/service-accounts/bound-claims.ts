import type { KubeObject } from '../../../api/kube-object.js'
import type { JsonObject } from '../../../schema/declaration.js'
import { serviceAccountGroups, serviceAccountUser } from '../../authorization/well-known-users.js'
import type { RequestUser } from '../../request/user.js'
import type { CredentialObjects } from '../credential-objects.js'
import { type RegisteredClaims, tokenTimeError } from '../jwt/registered-claims.js'
import { TokenError } from '../jwt/signed-token.js'
import type { KubernetesClaims, ObjectClaim } from './claims.js'
import type { KeptSecret } from './token-uses.js'

/** A token with a verified signature. */
export interface CheckedToken {
  readonly user: RequestUser
  readonly audiences: readonly string[]
  /** The secret that stores the token, for legacy tokens. */
  readonly secret?: KeptSecret
  /** Returns why the token is invalid at this time, in milliseconds since the epoch. Called at each request. */
  fault(objects: CredentialObjects, now: number): string | undefined
}

/** How long a deleted object still counts after its deletion timestamp, in milliseconds, because clocks differ. */
const deletionLeeway = 60_000

/** Reads a bound token: limited to a period, to audiences, and often to the lifetime of an object. */
export function boundToken(claims: JsonObject, registered: RegisteredClaims): CheckedToken {
  const own = kubernetesClaims(claims['kubernetes.io'])
  const { namespace, serviceaccount, pod, secret, node } = own
  if (registered.subject !== serviceAccountUser(namespace, serviceaccount.name))
    throw new TokenError('the subject of the token is not the account that it names')
  if (registered.expires === undefined) throw new TokenError('the token has no expiration time')
  const bound: readonly Bound[] = [
    { resource: 'secrets', noun: 'secret', claim: secret },
    { resource: 'pods', noun: 'pod', claim: pod },
    // A node may be deleted before its pods.
    { resource: 'nodes', noun: 'node', claim: pod ? undefined : node },
  ]
  return {
    user: userOf(own, registered),
    audiences: registered.audiences,
    fault(objects, now) {
      const time = tokenTimeError(registered, now)
      if (time) return `service account token ${time}`
      return accountError(objects, own, now) ?? first(bound, (each) => boundFault(objects, namespace, each, now))
    },
  }
}

interface Bound {
  readonly resource: 'secrets' | 'pods' | 'nodes'
  readonly noun: string
  readonly claim: ObjectClaim | undefined
}

function first<T>(items: readonly T[], find: (item: T) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns an error if the account does not exist any more, or is a new one of the same name. */
export function accountError(
  objects: CredentialObjects,
  { namespace, serviceaccount: { name, uid } }: Pick<KubernetesClaims, 'namespace' | 'serviceaccount'>,
  now: number,
): string | undefined {
  const account = objects.find('serviceaccounts', namespace, name)
  if (!account) return `serviceaccounts "${name}" not found`
  if (isGone(account, now)) return `service account ${namespace}/${name} has been deleted`
  if (account.metadata.uid !== uid) return `service account UID (${account.metadata.uid}) does not match claim (${uid})`
  return undefined
}

function boundFault(objects: CredentialObjects, namespace: string, bound: Bound, now: number): string | undefined {
  const { resource, noun, claim } = bound
  if (!claim) return undefined
  const object = objects.find(resource, namespace, claim.name)
  if (!object || isGone(object, now)) return 'service account token has been invalidated'
  const { uid } = object.metadata
  return uid === claim.uid
    ? undefined
    : `${noun} UID (${uid}) does not match service account ${noun} ref claim (${claim.uid})`
}

function isGone({ metadata }: KubeObject, now: number): boolean {
  const { deletionTimestamp } = metadata
  return deletionTimestamp !== undefined && Date.parse(deletionTimestamp) < now - deletionLeeway
}

const prefix = 'authentication.kubernetes.io'

function userOf({ namespace, serviceaccount, pod, node }: KubernetesClaims, { id }: RegisteredClaims): RequestUser {
  return {
    name: serviceAccountUser(namespace, serviceaccount.name),
    uid: serviceaccount.uid ?? '',
    groups: serviceAccountGroups(namespace),
    extra: {
      ...(id !== '' && { [`${prefix}/credential-id`]: [`JTI=${id}`] }),
      ...(node && { [`${prefix}/node-name`]: [node.name] }),
      ...(node?.uid && { [`${prefix}/node-uid`]: [node.uid] }),
      ...(pod && { [`${prefix}/pod-name`]: [pod.name], [`${prefix}/pod-uid`]: [pod.uid ?? ''] }),
    },
  }
}

function kubernetesClaims(value: unknown): KubernetesClaims {
  const own = (value ?? {}) as Partial<KubernetesClaims>
  const named = [own.serviceaccount, own.pod, own.secret, own.node].filter((claim) => claim !== undefined)
  const isSound = typeof own.namespace === 'string' && own.namespace !== '' && own.serviceaccount !== undefined
  if (!isSound || !named.every(isObjectClaim)) throw new TokenError('the token names no service account')
  return own as KubernetesClaims
}

function isObjectClaim(claim: unknown): boolean {
  const { name, uid } = (claim ?? {}) as Record<string, unknown>
  return typeof name === 'string' && name !== '' && (uid === undefined || typeof uid === 'string')
}
