import type { ContainerStatus } from '../../api/core/v1/container/status.js'
import { Pod } from '../../api/core/v1/pod.js'
import type { Client } from '../../client/client.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import { containerNameLabel, podUidLabel } from '../../kubelet/runtime/labels.js'
import type { ScenarioPod } from './scenario-pods.js'

export interface StateTolerance {
  /** A call to the runtime may have been interrupted: its container may have failed, and may have been restarted. */
  readonly brokenCalls: boolean
}

/** Returns one line for each pod that has not reached its expected state. */
export async function podProblems(
  { client, runtime }: { readonly client: Client; readonly runtime: ContainerRuntime },
  wanted: readonly ScenarioPod[],
  tolerance: StateTolerance,
): Promise<readonly string[]> {
  const { items } = await client.resource(Pod).list()
  const [{ items: sandboxes }, { containers }] = await Promise.all([
    runtime.listPodSandbox({}),
    runtime.listContainers({}),
  ])
  const isOf = ({ labels }: { readonly labels: Readonly<Record<string, string>> }, uid: string) =>
    labels[podUidLabel] === uid
  return wanted.flatMap((one) => {
    const pod = items.find(({ metadata }) => metadata.name === one.name)
    const uid = pod?.metadata.uid ?? ''
    const ready = sandboxes.filter((sandbox) => isOf(sandbox, uid) && sandbox.state === 'SANDBOX_READY')
    const running = containers.filter((container) => isOf(container, uid) && container.state === 'CONTAINER_RUNNING')
    const ids = running.map(({ id, labels }) => `${labels[containerNameLabel]} ${id}`)
    const problem = pod ? problemOf(one, pod, { sandboxes: ready.length, running: ids }, tolerance) : 'is not there'
    return problem === undefined ? [] : [`${one.name} ${problem}`]
  })
}

interface ObservedPod {
  readonly sandboxes: number
  /** `name id` */
  readonly running: readonly string[]
}

function problemOf(
  one: ScenarioPod,
  { status }: Pod,
  seen: ObservedPod,
  tolerance: StateTolerance,
): string | undefined {
  const isOver = one.phase === 'Succeeded'
  if (isOver && tolerance.brokenCalls && status?.phase === 'Failed') return undefined
  if (status?.phase !== one.phase) return `is ${status?.phase}: ${JSON.stringify(status?.containerStatuses)}`
  if (isOver) return seen.running.length === 0 ? undefined : `still runs: ${seen.running}`
  const reported = [...runningOf(status.initContainerStatuses), ...runningOf(status.containerStatuses)]
  if (reported.toSorted().join() !== seen.running.toSorted().join())
    return `runs ${seen.running}, and reports ${reported}`
  if (seen.sandboxes !== 1) return `has ${seen.sandboxes} sandboxes`
  const notReady = (status.containerStatuses ?? []).find(({ ready }) => !ready)
  if (notReady) return `is not ready: ${notReady.name}`
  const wrong = (status.containerStatuses ?? []).find(({ name, restartCount }) => {
    const expected = one.restarts[name]!
    return tolerance.brokenCalls ? restartCount < expected : restartCount !== expected
  })
  return wrong && `restarted ${wrong.name} ${wrong.restartCount} times`
}

/** `name id` */
function runningOf(statuses: readonly ContainerStatus[] = []): readonly string[] {
  return statuses
    .filter(({ state }) => state?.running)
    .map(({ name, containerID = '' }) => `${name} ${containerID.replace(/^\w+:\/\//, '')}`)
}

/** Returns the running containers and their restart counts. */
export async function runningContainers(client: Client): Promise<readonly string[]> {
  const { items } = await client.resource(Pod).list()
  return items.flatMap(({ metadata, status }) =>
    [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]
      .filter(({ state }) => state?.running)
      .map(({ name, containerID, restartCount }) => `${metadata.name}/${name} ${containerID} ${restartCount}`),
  )
}
