import type { Node } from '../../../api/core/v1/node.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import { notFound } from '../../../api/errors.js'
import type { OwnerReference } from '../../../api/meta/v1/object-meta.js'
import { sameJson } from '../../../schema/json-value.js'
import { quote } from '../../../schema/quote.js'
import { referencesOf } from '../../authorization/node/pod-references.js'
import type { AdmissionRequest } from '../admission.js'
import type { ObjectLookup, ObjectLookups } from '../lookup.js'
import { rejection } from '../rejection.js'
import { hasMirrorAnnotation } from '../request.js'

const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** A node may create mirror pods, and may report the status of, evict and delete the pods that are bound to it. */
export class PodChecks {
  readonly #pods: ObjectLookup<Pod>
  readonly #nodes: ObjectLookup<Node>

  constructor(lookups: ObjectLookups) {
    this.#pods = lookups.of<Pod>('', 'v1', 'pods')
    this.#nodes = lookups.of<Node>('', 'v1', 'nodes')
  }

  check(request: AdmissionRequest, node: string): void | Promise<void> {
    switch (request.subresource) {
      case '':
        return this.#checkPod(request, node)
      case 'status':
        return checkStatus(request, node)
      case 'eviction':
        return this.#checkEviction(request, node)
      default:
        throw rejection(
          request,
          `unexpected pod subresource ${quote(request.subresource)}, only 'status' and 'eviction' are allowed`,
        )
    }
  }

  #checkPod(request: AdmissionRequest, node: string): void | Promise<void> {
    const { operation } = request
    if (operation === 'CREATE') return this.#checkCreation(request, node)
    if (operation === 'DELETE')
      return this.#checkBound(
        request,
        `node ${quote(node)} can only delete pods with spec.nodeName set to itself`,
        node,
      )
    throw rejection(
      request,
      `unexpected operation ${quote(operation)}, node ${quote(node)} can only create and delete mirror pods`,
    )
  }

  #checkEviction(request: AdmissionRequest, node: string): Promise<void> {
    return this.#checkBound(request, `node ${node} can only evict pods with spec.nodeName set to itself`, node)
  }

  async #checkBound(request: AdmissionRequest, why: string, node: string): Promise<void> {
    const pod = await this.#pods.find(request.name, request.namespace)
    if (!pod) throw notFound({ group: '', resource: 'pods' }, request.name)
    if (pod.spec.nodeName !== node) throw rejection(request, why)
  }

  async #checkCreation(request: AdmissionRequest, node: string): Promise<void> {
    const pod = request.object as Pod
    const reject = (why: string) => rejection(request, `node ${quote(node)} ${why}`)
    if (!hasMirrorAnnotation(pod))
      throw rejection(
        request,
        `pod does not have ${quote(mirrorAnnotation)} annotation, node ${quote(node)} can only create mirror pods`,
      )
    if (pod.spec.nodeName !== node) throw reject('can only create pods with spec.nodeName set to itself')
    const [owner, ...more] = pod.metadata.ownerReferences ?? []
    if (more.length > 0) throw reject('can only create pods with a single owner reference set to itself')
    if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
      throw reject('can only create pods with an owner reference set to itself')
    if (!owner.controller) throw reject('can only create pods with a controller owner reference set to itself')
    if (owner.blockOwnerDeletion) throw reject('must not set blockOwnerDeletion on an owner reference')
    await this.#checkOwner(request, owner, node)
    const reference = firstReference(pod)
    if (reference) throw reject(`can not create pods that reference ${reference}`)
  }

  async #checkOwner(request: AdmissionRequest, owner: OwnerReference, name: string): Promise<void> {
    const node = await this.#nodes.find(name)
    if (!node) throw notFound({ group: '', resource: 'nodes' }, name)
    if (owner.uid !== node.metadata.uid)
      throw rejection(request, `node ${name} UID mismatch: expected ${owner.uid} got ${node.metadata.uid}`)
  }
}

/** The first match is reported. */
const referencePrefixes: readonly (readonly [prefix: string, description: string])[] = [
  ['serviceaccounts/', 'a service account'],
  ['secrets/', 'secrets'],
  ['configmaps/', 'configmaps'],
]

/** The resources that a volume refers to, by its source. */
const volumeReferences: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
}

/** The resources that a source of a projected volume refers to. */
const sourceReferences: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
}

/** Returns the first API resource that a pod refers to. The node authorizer lets a node read whatever its pods refer to. */
function firstReference(pod: Pod): string | undefined {
  const { annotations: _mirror, ...metadata } = pod.metadata // `referencesOf` skips mirror pods
  const references = [...referencesOf({ ...pod, metadata })]
  const found = referencePrefixes.find(([prefix]) => references.some((reference) => reference.startsWith(prefix)))
  if (found) return found[1]
  if (pod.spec.resourceClaims?.length) return 'resourceclaims' // even if a claim has no name yet
  for (const volume of pod.spec.volumes ?? []) {
    const description = descriptionOf(volume, volumeReferences) ?? firstSourceReference(volume.projected?.sources ?? [])
    if (description !== undefined) return description
  }
  return undefined
}

function firstSourceReference(sources: readonly object[]): string | undefined {
  for (const source of sources) {
    const description = descriptionOf(source, sourceReferences)
    if (description !== undefined) return description
  }
  return undefined
}

function descriptionOf(source: object, references: Readonly<Record<string, string>>): string | undefined {
  const members = source as Readonly<Record<string, unknown>>
  return Object.entries(references).find(([member]) => members[member])?.[1]
}

function checkStatus(request: AdmissionRequest, node: string): void {
  if (request.operation !== 'UPDATE') throw rejection(request, `unexpected operation ${quote(request.operation)}`)
  const reject = (why: string) => rejection(request, `node ${quote(node)} ${why}`)
  const [pod, old] = [request.object as Pod, request.old as Pod]
  if (old.spec.nodeName !== node) throw reject('can only update pod status for pods with spec.nodeName set to itself')
  if (!sameJson(pod.metadata.labels ?? {}, old.metadata.labels ?? {}))
    throw reject('cannot update labels through pod status')
  const { resourceClaimStatuses: claims, extendedResourceClaimStatus: extended } = pod.status ?? {}
  const { resourceClaimStatuses: oldClaims, extendedResourceClaimStatus: oldExtended } = old.status ?? {}
  if (!sameJson(claims ?? [], oldClaims ?? [])) throw reject('cannot update resource claim statues')
  if (!sameJson(extended ?? null, oldExtended ?? null)) throw reject('cannot update extended resource claim status')
}
