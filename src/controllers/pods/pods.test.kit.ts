import type { Pod } from '../../api/core/v1/pod.js'
import type { ObjectMeta } from '../../api/meta/v1/object-meta.js'

export interface TestPodOptions extends Partial<ObjectMeta> {
  readonly node?: string
  readonly phase?: 'Pending' | 'Running' | 'Succeeded' | 'Failed' | 'Unknown'
  /** Since when it is ready. */
  readonly ready?: string
  readonly restarts?: number
  readonly sidecarRestarts?: number
}

let count = 0

/** A pod as an informer would hand it out. */
export function somePod({
  node,
  phase = 'Running',
  ready,
  restarts,
  sidecarRestarts,
  ...metadata
}: TestPodOptions = {}): Pod {
  const number = ++count
  const status = (name: string, restartCount: number) => [{ name, restartCount, ready: true, image: '', imageID: '' }]
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: `pod-${number}`, namespace: 'shop', uid: `uid-${String(number).padStart(4, '0')}`, ...metadata },
    spec: {
      containers: [{ name: 'main' }],
      ...(node && { nodeName: node }),
      ...(sidecarRestarts !== undefined && { initContainers: [{ name: 'side', restartPolicy: 'Always' }] }),
    },
    status: {
      phase,
      ...(ready !== undefined && { conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: ready }] }),
      ...(restarts !== undefined && { containerStatuses: status('main', restarts) }),
      ...(sidecarRestarts !== undefined && { initContainerStatuses: status('side', sidecarRestarts) }),
    },
  } as Pod
}
