import { ConfigMap } from '../../api/core/v1/config-map.js'
import type { ObjectMeta, OwnerReference } from '../../api/meta/v1/object-meta.js'
import type { DeleteRequestOptions } from '../../client/request-options.js'
import type { ControllerHarness } from '../harness.test.kit.js'

export const controllers = ['garbage-collector-controller']

/** Config maps that own one another: what is done to them, and what is left. */
export function configMaps({ client, clock }: ControllerHarness, namespace = 'default') {
  const resource = client.resource(ConfigMap).in(namespace)
  const make = async (name: string, owners: readonly OwnerReference[] = [], finalizers: readonly string[] = []) => {
    const { metadata } = await resource.create({ metadata: { name, ownerReferences: owners, finalizers } })
    await clock.settle()
    return { apiVersion: 'v1', kind: 'ConfigMap', name, uid: metadata.uid!, blockOwnerDeletion: true }
  }
  return {
    make,
    /** `c0` owns `c1`, which owns `c2` …, the last of which owns `c0`. */
    async makeCircle(size: number): Promise<void> {
      const first = await make('c0')
      let last = first
      for (let i = 1; i < size; i++) last = await make(`c${i}`, [last])
      await resource.patch('c0', 'merge', { metadata: { ownerReferences: [last] } })
      await clock.settle()
    },
    async remove(name: string, propagationPolicy: DeleteRequestOptions['propagationPolicy']): Promise<void> {
      await resource.delete(name, { propagationPolicy: propagationPolicy! })
      await clock.settle()
    },
    /** Lets go of what its finalizers held. */
    async free(name: string): Promise<void> {
      await resource.patch(name, 'merge', { metadata: { finalizers: null } })
      await clock.settle()
    },
    async metadata(name: string): Promise<ObjectMeta> {
      return (await resource.get(name)).metadata
    },
    async left(): Promise<readonly string[]> {
      const { items } = await resource.list()
      return items.map(({ metadata: { name, ownerReferences = [] } }) =>
        ownerReferences.length === 0 ? name! : `${name} of ${ownerReferences.map((owner) => owner.name)}`,
      )
    },
  }
}
