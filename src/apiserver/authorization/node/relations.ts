import type { PersistentVolume } from '../../../api/core/v1/persistent-volume.js'
import type { Pod } from '../../../api/core/v1/pod.js'
import type { KubeObject } from '../../../api/kube-object.js'
import type { ResourceSlice } from '../../../api/resource/v1/resource-slice.js'
import type { ResourceMap } from '../../registry/resource-map.js'
import type { ServedResource } from '../../registry/served-resource.js'
import { NodeReferences } from './node-references.js'
import { type ReferredResource, referenceKey } from './pod-references.js'
import { claimOf, VolumeSecrets } from './volume-secrets.js'

/** Resources whose objects name their node. */
type OwnedResource = 'pods' | 'volumeattachments' | 'resourceslices' | 'podcertificaterequests'

export type RelatedResource = ReferredResource | OwnedResource | 'persistentvolumes'

const groups: Readonly<Record<OwnedResource, readonly [group: string, version: string]>> = {
  pods: ['', 'v1'],
  volumeattachments: ['storage.k8s.io', 'v1'],
  resourceslices: ['resource.k8s.io', 'v1'],
  podcertificaterequests: ['certificates.k8s.io', 'v1beta1'],
}

/** Knows which objects are related to a node by its pods. Reads the watch caches only. */
export class NodeRelations {
  readonly #references: NodeReferences
  readonly #volumeSecrets: VolumeSecrets
  readonly #volumes: ServedResource
  readonly #owned: Readonly<Record<string, ServedResource | undefined>>

  constructor(resources: ResourceMap) {
    const find = ([group, version]: readonly [string, string], resource: string) =>
      resources.find(group, version, resource)
    this.#references = new NodeReferences(find(['', 'v1'], 'pods')!)
    this.#volumes = find(['', 'v1'], 'persistentvolumes')!
    this.#volumeSecrets = new VolumeSecrets(this.#volumes)
    this.#owned = Object.fromEntries(
      Object.entries(groups).map(([resource, place]) => [resource, find(place, resource)]),
    )
  }

  /** Whether a pod of the node refers to the object, directly or indirectly. */
  relates(node: string, resource: RelatedResource, namespace: string, name: string): boolean {
    switch (resource) {
      case 'persistentvolumes':
        return this.#relatesToVolume(node, name)
      case 'secrets':
        return this.#relatesToSecret(node, referenceKey('secrets', namespace, name))
      case 'configmaps':
      case 'persistentvolumeclaims':
      case 'serviceaccounts':
      case 'resourceclaims':
        return this.#references.has(node, referenceKey(resource, namespace, name))
      default:
        return this.#isOwned(node, resource, namespace, name)
    }
  }

  #relatesToVolume(node: string, name: string): boolean {
    const kept = this.#volumes.objects.get(this.#volumes.key('', name))
    const claim = kept && claimOf(kept.object as PersistentVolume)
    return claim !== undefined && this.#references.has(node, claim)
  }

  #relatesToSecret(node: string, secret: string): boolean {
    if (this.#references.has(node, secret)) return true
    for (const claim of this.#volumeSecrets.claimsOf(secret)) if (this.#references.has(node, claim)) return true
    return false
  }

  #isOwned(node: string, plural: OwnedResource, namespace: string, name: string): boolean {
    const resource = this.#owned[plural]
    const kept = resource?.objects.get(resource.key(namespace, name))
    return kept !== undefined && nodeNameOf(kept.object) === node
  }
}

function nodeNameOf(object: KubeObject): string | undefined {
  return (object as Pod | ResourceSlice).spec.nodeName
}
