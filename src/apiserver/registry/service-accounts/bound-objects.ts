import type { BoundObjectReference } from '../../../api/authentication/v1/token-request.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { badRequest, conflict, notFound } from '../../../api/errors.js'
import type { KubeObject } from '../../../api/kube-object.js'
import { quote } from '../../../schema/quote.js'
import type { ObjectClaim } from '../../authentication/service-accounts/claims.js'
import type { VerbScope } from '../../verbs/verb-scope.js'
import type { ResourceMap } from '../resource-map.js'

/** The objects that a token is bound to: it is invalid when they are deleted. */
export interface BoundObjects {
  readonly pod?: ObjectClaim
  readonly secret?: ObjectClaim
  readonly node?: ObjectClaim
}

const resourceNames: Readonly<Record<string, 'pods' | 'secrets' | 'nodes'>> = {
  Pod: 'pods',
  Secret: 'secrets',
  Node: 'nodes',
}

/** Looks up the object that a token is bound to; for a pod also its node. */
export async function boundObjects(
  scope: VerbScope,
  reference: BoundObjectReference | null | undefined,
  resources: ResourceMap,
): Promise<BoundObjects> {
  if (!reference) return {}
  const { kind = '', apiVersion = '', name = '', uid = '' } = reference
  const resource = apiVersion === 'v1' && Object.hasOwn(resourceNames, kind) ? resourceNames[kind] : undefined
  if (!resource) throw badRequest(`cannot bind token to object of type ${kindText(apiVersion, kind)}`)
  await scope.store.waitUntilCurrent()
  const object = lookUp(scope, resources, resource, name)
  if (!object) throw notFound({ group: '', resource }, name)
  if (resource === 'pods') checkAccount(scope, object as Pod)
  if (uid !== '' && uid !== object.metadata.uid)
    throw conflict(
      { group: '', resource: kind },
      name,
      `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`,
    )
  const claim = { name, uid: object.metadata.uid! }
  if (resource === 'secrets') return { secret: claim }
  if (resource === 'nodes') return { node: claim }
  return { pod: claim, ...nodeOf(scope, resources, object as Pod) }
}

function kindText(apiVersion: string, kind: string): string {
  return `${apiVersion.includes('/') ? apiVersion : `/${apiVersion}`}, Kind=${kind}`
}

function lookUp(
  { namespace }: VerbScope,
  resources: ResourceMap,
  resource: string,
  name: string,
): KubeObject | undefined {
  const served = resources.find('', 'v1', resource)!
  return served.objects.get(served.key(namespace, name))?.object
}

function checkAccount({ name }: VerbScope, { spec }: Pod): void {
  if (spec.serviceAccountName !== name)
    throw badRequest(
      `cannot bind token for serviceaccount ${quote(name)} to pod running with different serviceaccount name.`,
    )
}

/** The node of a pod. A node that does not exist has no uid. */
function nodeOf(scope: VerbScope, resources: ResourceMap, { spec: { nodeName } }: Pod): BoundObjects {
  if (!nodeName) return {}
  const uid = lookUp(scope, resources, 'nodes', nodeName)?.metadata.uid
  return { node: { name: nodeName, ...(uid && { uid }) } }
}
