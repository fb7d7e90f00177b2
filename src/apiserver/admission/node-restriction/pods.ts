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
import { isMirrorPod } from '../requests.js'

const mirrorAnnotation = 'kubernetes.io/config.mirror'

/** A node shows what it runs by itself, and tells how the pods do that are bound to it. */
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
        return this.#checkWhole(request, node)
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

  #checkWhole(request: AdmissionRequest, node: string): void | Promise<void> {
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
    const refuse = (why: string) => rejection(request, `node ${quote(node)} ${why}`)
    if (!isMirrorPod(pod))
      throw rejection(
        request,
        `pod does not have ${quote(mirrorAnnotation)} annotation, node ${quote(node)} can only create mirror pods`,
      )
    if (pod.spec.nodeName !== node) throw refuse('can only create pods with spec.nodeName set to itself')
    const [owner, ...more] = pod.metadata.ownerReferences ?? []
    if (more.length > 0) throw refuse('can only create pods with a single owner reference set to itself')
    if (owner?.apiVersion !== 'v1' || owner.kind !== 'Node' || owner.name !== node)
      throw refuse('can only create pods with an owner reference set to itself')
    if (!owner.controller) throw refuse('can only create pods with a controller owner reference set to itself')
    if (owner.blockOwnerDeletion) throw refuse('must not set blockOwnerDeletion on an owner reference')
    await this.#checkOwner(request, owner, node)
    const referred = firstReferred(pod)
    if (referred) throw refuse(`can not create pods that reference ${referred}`)
  }

  async #checkOwner(request: AdmissionRequest, owner: OwnerReference, name: string): Promise<void> {
    const node = await this.#nodes.find(name)
    if (!node) throw notFound({ group: '', resource: 'nodes' }, name)
    if (owner.uid !== node.metadata.uid)
      throw rejection(request, `node ${name} UID mismatch: expected ${owner.uid} got ${node.metadata.uid}`)
  }
}

/** In the order in which they are told. */
const kindsOfReferences: readonly (readonly [prefix: string, told: string])[] = [
  ['serviceaccounts/', 'a service account'],
  ['secrets/', 'secrets'],
  ['configmaps/', 'configmaps'],
]

/** What the members of a volume make it refer to. */
const volumeReferences: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via configmap volumes)',
  secret: 'secrets (via secret volumes)',
  csi: 'csidrivers (via CSI volumes)',
  glusterfs: 'endpoints (via glusterFS volumes)',
  persistentVolumeClaim: 'persistentvolumeclaims',
  ephemeral: 'persistentvolumeclaims (via ephemeral volumes)',
  azureFile: 'secrets (via azureFile volumes)',
}

/** The same for what a volume projects. */
const sourceReferences: Readonly<Record<string, string>> = {
  configMap: 'configmaps (via projected volumes)',
  secret: 'secrets (via projected volumes)',
  serviceAccountToken: 'serviceaccounts (via projected volumes)',
  clusterTrustBundle: 'clustertrustbundles',
  podCertificate: 'podcertificates',
}

/** What of the API a pod needs: a node that could name it would get to see it. */
function firstReferred(pod: Pod): string | undefined {
  const { annotations: _mirror, ...metadata } = pod.metadata // whose references are otherwise not counted
  const references = [...referencesOf({ ...pod, metadata })]
  const found = kindsOfReferences.find(([prefix]) => references.some((reference) => reference.startsWith(prefix)))
  if (found) return found[1]
  if (pod.spec.resourceClaims?.length) return 'resourceclaims' // also where a claim has no name yet
  for (const volume of pod.spec.volumes ?? []) {
    const told = toldOf(volume, volumeReferences) ?? firstOf(volume.projected?.sources ?? [])
    if (told !== undefined) return told
  }
  return undefined
}

function firstOf(sources: readonly object[]): string | undefined {
  for (const source of sources) {
    const told = toldOf(source, sourceReferences)
    if (told !== undefined) return told
  }
  return undefined
}

function toldOf(source: object, references: Readonly<Record<string, string>>): string | undefined {
  const members = source as Readonly<Record<string, unknown>>
  return Object.entries(references).find(([member]) => members[member])?.[1]
}

function checkStatus(request: AdmissionRequest, node: string): void {
  if (request.operation !== 'UPDATE') throw rejection(request, `unexpected operation ${quote(request.operation)}`)
  const refuse = (why: string) => rejection(request, `node ${quote(node)} ${why}`)
  const [pod, old] = [request.object as Pod, request.old as Pod]
  if (old.spec.nodeName !== node) throw refuse('can only update pod status for pods with spec.nodeName set to itself')
  if (!same(pod.metadata.labels ?? {}, old.metadata.labels ?? {}))
    throw refuse('cannot update labels through pod status')
  const { resourceClaimStatuses: claims, extendedResourceClaimStatus: extended } = pod.status ?? {}
  const { resourceClaimStatuses: oldClaims, extendedResourceClaimStatus: oldExtended } = old.status ?? {}
  if (!same(claims ?? [], oldClaims ?? [])) throw refuse('cannot update resource claim statues')
  if (!same(extended ?? null, oldExtended ?? null)) throw refuse('cannot update extended resource claim status')
}

function same(one: unknown, other: unknown): boolean {
  return sameJson(one, other)
}
