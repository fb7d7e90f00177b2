import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { environment } from '../../base/environment.js'
import { silentLogger } from '../../base/logging.js'
import { PodNetwork } from '../../cni/pod-network.js'
import { type Containerd, startContainerd } from '../../cri/containerd/containerd.js'
import {
  type ContainerHarness,
  createContainerHarness,
  networkPluginFolder,
  removeContainerHarness,
} from './container-harness.js'
import { containersMissing } from './container-packages.js'

const skip = await containersMissing()
const pause = () => new Promise((resolve) => setTimeout(resolve, 10))

describe('a running containerd applies the network configuration', { skip }, () => {
  const alive = setInterval(() => {}, 60_000) // timers of a clock do not keep the process alive
  let harness: ContainerHarness
  let containerd: Containerd
  let network: PodNetwork
  before(async () => {
    harness = await createContainerHarness()
    const { folder, bridge } = harness
    const networkFolder = join(folder, 'net.d')
    containerd = await startContainerd({ folder, environment: environment(), networkFolder, restart: false })
    network = new PodNetwork({
      configurationFolder: networkFolder,
      pluginFolder: networkPluginFolder(),
      log: silentLogger,
      name: bridge,
      bridge,
      addressesFolder: join(folder, 'addresses'),
    })
  })
  after(async () => {
    await containerd.close()
    const left = readdirSync(join(harness.folder, 'addresses', harness.bridge)).filter((name) => /^[\d.]+$/.test(name))
    assert.deepEqual(left, [], 'every address is released')
    await network.reset()
    await removeContainerHarness(harness)
    clearInterval(alive)
  })

  const isReady = async () => {
    const { status } = await containerd.runtime.status({})
    return status?.conditions.find(({ type }) => type === 'NetworkReady')?.status ?? false
  }
  const addressOf = async (name: string) => {
    const config = {
      metadata: { name, uid: name, namespace: 'default', attempt: 0 },
      linux: { cgroupParent: `${harness.cgroupParent}/${name}` },
      logDirectory: harness.folder,
      hostname: name,
    }
    const { podSandboxId } = await containerd.runtime.runPodSandbox({ config })
    const { status } = await containerd.runtime.podSandboxStatus({ podSandboxId })
    return status?.network?.ip ?? ''
  }

  test('when it is configured', async () => {
    assert.equal(await isReady(), false)
    await network.configure([harness.podRange])
    while (!(await isReady())) await pause()
    const start = harness.podRange.replace(/\d+\/\d+$/, '')
    assert.ok((await addressOf('one')).startsWith(start))
  })

  test('when it gets another range', async () => {
    await network.configure(['10.191.255.224/27'])
    for (let tries = 0; ; tries++) {
      const address = await addressOf(`later-${tries}`)
      if (address.startsWith('10.191.255.')) break
      assert.ok(tries < 20, `it still gives ${address}`)
      await pause()
    }
  })
})
