import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { mountsIn } from '../../cri/containerd/leftovers.js'
import type { ContainerRuntime } from '../../cri/interface/services.js'
import {
  addressFiles,
  type ContainerHarness,
  cgroupsBelow,
  interfacesOnBridge,
} from '../containers/container-left-overs.js'

/** Returns one line for everything that deleted pods have left behind. */
export async function podLeftOvers(
  harness: ContainerHarness,
  { rootFolder, podLogsFolder }: { readonly rootFolder: string; readonly podLogsFolder: string },
  runtime: ContainerRuntime,
): Promise<readonly string[]> {
  const [{ items }, { containers }] = await Promise.all([runtime.listPodSandbox({}), runtime.listContainers({})])
  return [
    ...items.map(({ id, metadata }) => `sandbox ${id} of ${metadata?.name}`),
    ...containers.map(({ id, metadata }) => `container ${id}: ${metadata?.name}`),
    ...mountsIn(harness.folder).map((point) => `mount ${point}`),
    ...podCgroups(harness.cgroupParent).map((path) => `cgroup ${path}`),
    ...interfacesOnBridge(harness.bridge).map((name) => `interface ${name}`),
    ...addressFiles(harness.folder).map((path) => `address ${path}`),
    ...entriesOf(join(rootFolder, 'pods')).map((uid) => `folder of pod ${uid}`),
    ...entriesOf(podLogsFolder).map((name) => `logs ${name}`),
  ]
}

function podCgroups(parent: string): readonly string[] {
  return cgroupsBelow(parent).flatMap((root) =>
    readdirSync(root, { recursive: true, encoding: 'utf8' })
      .filter((path) => /(^|\/)pod[0-9a-f-]{36}$/.test(path))
      .map((path) => join(root, path)),
  )
}

function entriesOf(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder) : []
}
