import { Pod } from 'proa/api/core/v1/pod'
import type { Initializer } from './initializer.js'

const namespace = 'testing'
const volume = { name: 'test-certificates', secret: { secretName: 'test-certificates' } }
const mount = { name: volume.name, mountPath: '/etc/test-certificates', readOnly: true }

/** Every pod of one namespace finds test certificates in a volume. Pods of others are let through as they are. */
export const testCertificates: Initializer<Pod> = {
  name: 'test-certificates.initializers.example.com',
  objects: (client) => client.resource(Pod),
  complete(pod) {
    const { volumes = [], containers } = pod.spec
    if (pod.metadata.namespace !== namespace || volumes.some(({ name }) => name === volume.name)) return pod
    const mounted = containers.map((container) => ({
      ...container,
      volumeMounts: [...(container.volumeMounts ?? []), mount],
    }))
    return { ...pod, spec: { ...pod.spec, volumes: [...volumes, volume], containers: mounted } }
  },
}
