import type { KubeObject } from '../../api/kube-object.js'
import type { ObjectStore } from '../cache/object-store.js'
import { changeObject } from '../registry/change-object.js'
import type { ResourceMap } from '../registry/resource-map.js'

/** What is known here without asking the store: credentials that depend on objects are checked against these at each request. */
export interface CredentialObjects {
  /** An object of the core group; the namespace does not matter to those that have none. */
  find(
    resource: 'serviceaccounts' | 'pods' | 'secrets' | 'nodes',
    namespace: string,
    name: string,
  ): KubeObject | undefined
  /** Undefined when everything that was acknowledged is known. Where several servers write, one may have to ask. */
  current(): Promise<void> | undefined
}

/** The same for those who write down which secrets are used. */
export interface LabelledCredentialObjects extends CredentialObjects {
  /** Puts a label on a secret, past the rules for clients. */
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
