import type { KubeObject } from '../../api/kube-object.js'
import type { ObjectStore } from '../cache/object-store.js'
import { changeObject } from '../registry/change-object.js'
import type { ResourceMap } from '../registry/resource-map.js'

/** Objects that credentials depend on, from the watch cache. They are checked at each request. */
export interface CredentialObjects {
  /** Returns an object of the core group. Cluster-wide objects ignore the namespace. */
  find(
    resource: 'serviceaccounts' | 'pods' | 'secrets' | 'nodes',
    namespace: string,
    name: string,
  ): KubeObject | undefined
  /** Returns undefined if the cache has all acknowledged writes; otherwise a promise that resolves when it has. */
  current(): Promise<void> | undefined
}

/** The same, with labels for secrets. */
export interface LabelledCredentialObjects extends CredentialObjects {
  /** Sets a label of a secret, without the checks for clients. */
  labelSecret(namespace: string, name: string, label: readonly [name: string, value: string]): Promise<void>
}

export function credentialObjects(resources: ResourceMap, store: ObjectStore): LabelledCredentialObjects {
  return {
    find(resource, namespace, name) {
      const served = resources.find('', 'v1', resource)!
      return served.objects.get(served.key(namespace, name))?.object
    },
    current: () => store.waitUntilCurrent(),
    async labelSecret(namespace, name, [label, value]) {
      const resource = resources.find('', 'v1', 'secrets')!
      await changeObject({ store, resource, namespace, name }, (object) => {
        const { labels = {} } = object.metadata
        if (labels[label] === value) return object
        return { ...object, metadata: { ...object.metadata, labels: { ...labels, [label]: value } } }
      })
    },
  }
}
