import type { Container } from '../../api/core/v1/container.js'
import type { PodSpec } from '../../api/core/v1/pod/spec.js'
import type { Pod } from '../../api/core/v1/pod.js'

/** Returns a pod with one container and the API server's defaults. */
export function testPod(spec: Partial<PodSpec> = {}, metadata: Partial<Pod['metadata']> = {}): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', uid: 'u-1', ...metadata },
    spec: {
      containers: [testContainer()],
      restartPolicy: 'Always',
      dnsPolicy: 'ClusterFirst',
      enableServiceLinks: true,
      securityContext: {},
      terminationGracePeriodSeconds: 30,
      ...spec,
    },
    status: {},
  }
}

export function testContainer(more: Partial<Container> = {}): Container {
  return {
    name: 'c',
    image: 'box:1',
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
    resources: {},
    ...more,
  }
}
