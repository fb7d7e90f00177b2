import type { Pod } from '../../api/core/v1/pod.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { quote } from '../../schema/quote.js'
import { containerNameLabel, podUidLabel } from '../runtime/labels.js'
import { KubeletServerError } from './api-request.js'

/** The pods of this node with their newest statuses. */
export interface ServedPods {
  list(): Iterable<Pod>
  get(namespace: string, name: string): Pod | undefined
}

/** A container in a path of the kubelet's API: `/exec/NAMESPACE/POD[/UID]/CONTAINER`. */
export interface ContainerPath {
  readonly namespace: string
  readonly podName: string
  readonly uid: string | undefined
  readonly container: string
}

/** Returns undefined if the number of segments is wrong. */
export function parseContainerPath([, namespace, podName, ...rest]: readonly string[]): ContainerPath | undefined {
  if (!namespace || !podName || rest.length < 1 || rest.length > 2 || rest.includes('')) return undefined
  return { namespace, podName, uid: rest.length === 2 ? rest[0] : undefined, container: rest.at(-1)! }
}

/** Returns the id of the running container. Throws a `KubeletServerError` if there is none. */
export async function runningContainer(runtime: ContainerRuntime, pod: Pod, path: ContainerPath): Promise<string> {
  const uid = pod.metadata.uid ?? ''
  const labelSelector = { [podUidLabel]: uid, [containerNameLabel]: path.container }
  const filter = { state: { state: 'CONTAINER_RUNNING' as const }, labelSelector }
  const isOther = path.uid !== undefined && path.uid !== uid
  const { containers } = isOther ? { containers: [] } : await runtime.listContainers({ filter })
  if (!containers[0]) throw new KubeletServerError(500, `container not found (${quote(path.container)})`)
  return containers[0].id
}
