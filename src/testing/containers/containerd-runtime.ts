import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { environment } from '../../base/environment.js'
import { type Containerd, startContainerd } from '../../cri/containerd/containerd.js'
import { signalProcess } from '../../cri/containerd/processes.js'
import { writeRegistryHost } from '../../cri/containerd/registry-host.js'
import { packImage } from '../../cri/images/image-archive.js'
import type { RuntimeUnderTest } from '../cri/contract/runtime-under-test.js'
import { busyboxImage } from './busybox-image.js'
import {
  cgroupsBelow,
  createContainerHarness,
  removeContainerHarness,
  writeNetworkConfiguration,
} from './container-harness.js'
import { RegistryServer, registryUser } from './registry-server.js'

const image = 'localhost/proa/busybox:1'

/** Starts a real containerd with its own network and registries, for the runtime contract. */
export async function containerdUnderTest(): Promise<RuntimeUnderTest> {
  const alive = setInterval(() => {}, 60_000) // timers of a clock do not keep the process alive
  const harness = await createContainerHarness()
  const networkFolder = join(harness.folder, 'net.d')
  writeNetworkConfiguration(networkFolder, harness)
  const options = { folder: harness.folder, environment: environment(), networkFolder, restart: true }
  const containerd = await startContainerd(options)
  const [open, guarded] = [await RegistryServer.start(), await RegistryServer.start({ protected: true })]
  for (const { host, url } of [open, guarded]) writeRegistryHost(containerd.registryFolder, { host, server: url })
  await containerd.addImages([busyboxImage(image)])
  // Each label makes a different image, because removing an image removes all of its names.
  const labelled = (label: string) => packImage({ ...busyboxImage(), config: { Cmd: ['sh'], Labels: { label } } })
  const { runtime } = containerd
  return {
    runtime,
    folder: harness.folder,
    image,
    registry: {
      ...registryUser,
      open: await open.push(await labelled('open'), 'open', '1'),
      guarded: await guarded.push(await labelled('guarded'), 'guarded', '1'),
      missing: `${open.host}/missing:1`,
    },
    cgroupParent: harness.cgroupParent,
    lacks: await missingFeatures(containerd),
    memoryLimit: async (containerId) => memoryLimit(harness.cgroupParent, containerId),
    restart: () => restart(containerd),
    async close() {
      await containerd.close()
      await Promise.all([open.close(), guarded.close()])
      await removeContainerHarness(harness)
      clearInterval(alive)
    },
  }
}

/** Returns the features that this version of containerd lacks. */
async function missingFeatures({ runtime }: Containerd): Promise<RuntimeUnderTest['lacks']> {
  const { runtimeVersion } = await runtime.version({})
  const [major = 0, minor = 0] = runtimeVersion.split('.').map(Number)
  const isOld = major < 1 || (major === 1 && minor < 7)
  return isOld ? { events: `containerd ${runtimeVersion} sends no events` } : {}
}

/** Kills containerd and waits until its supervisor has started it again. */
async function restart(containerd: Containerd): Promise<void> {
  const before = containerd.pid
  if (before === undefined) throw new Error('containerd does not run')
  signalProcess(before, 'SIGKILL')
  while (containerd.pid === before || containerd.pid === undefined)
    await new Promise((resolve) => setTimeout(resolve, 10))
  await containerd.untilReady()
}

function memoryLimit(cgroupParent: string, containerId: string): number {
  const files = ['memory.limit_in_bytes', 'memory.max']
  for (const parent of cgroupsBelow(cgroupParent))
    for (const path of readdirSync(parent, { recursive: true, encoding: 'utf8' }))
      if (path.endsWith(containerId))
        for (const file of files) {
          const found = join(parent, path, file)
          if (existsSync(found)) return Number(readFileSync(found, 'utf8'))
        }
  throw new Error(`there is no cgroup of ${containerId}`)
}
