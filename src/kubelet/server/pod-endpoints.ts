import type { Pod } from '../../api/core/v1/pod.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { jsonResponse, type KubeletServerResponse } from './api-request.js'
import type { ServedPods } from './served-pods.js'

const listOf = (items: readonly object[]) => ({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items })

/** Serves `/pods`: the desired pods. */
export function podsResponse(pods: ServedPods): KubeletServerResponse {
  return jsonResponse(listOf([...pods.list()].map(withoutType)))
}

/** Items of a list have no kind of their own. */
function withoutType({ kind: _kind, apiVersion: _version, ...pod }: Pod & { kind?: unknown; apiVersion?: unknown }) {
  return pod
}

/** Serves `/runningpods/`: the pods that the runtime runs. */
export async function runningPodsResponse(runtime: ContainerRuntime): Promise<KubeletServerResponse> {
  const filter = { state: { state: 'SANDBOX_READY' as const } }
  const [{ items }, { containers }] = await Promise.all([
    runtime.listPodSandbox({ filter }),
    runtime.listContainers({ filter: { state: { state: 'CONTAINER_RUNNING' } } }),
  ])
  const pods = items.map(({ id, metadata }) => {
    const { name = '', namespace = '', uid = '' } = metadata ?? {}
    const own = containers.filter(({ podSandboxId }) => podSandboxId === id)
    const spec = {
      containers: own.map(({ metadata: { name } = { name: '' }, image }) => ({
        name,
        image: image?.image,
        resources: {},
      })),
    }
    return { metadata: { name, namespace, uid }, spec, status: {} }
  })
  return jsonResponse(listOf(pods))
}
