import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { environment } from '../../base/environment.js'
import { runtimeContract } from '../../testing/cri/contract/runtime-contract.js'
import type { RuntimeUnderTest } from '../../testing/cri/contract/runtime-under-test.js'
import { connectCri } from '../client.js'
import { inProcessRuntime } from '../in-process.js'
import type { ContainerRuntime } from '../interface/services.js'
import { type CriServer, serveCri } from '../server.js'
import { SimulationScenario } from './scenario.js'
import { type SimulatedRuntime, simulatedRuntime } from './simulated-runtime.js'

const registry = {
  open: 'registry.example/open:1',
  guarded: 'registry.example/guarded:1',
  missing: 'registry.example/missing:1',
  username: 'proa',
  password: 'correct horse',
}

const scenario = new SimulationScenario({
  present: ['localhost/busybox:1'],
  images: [
    { name: registry.guarded, does: { username: registry.username, password: registry.password } },
    { name: registry.missing, does: { missing: true } },
  ],
})

interface RuntimeConnection {
  readonly runtime: ContainerRuntime
  restart(): Promise<void>
  close(): Promise<void>
}

runtimeContract('the simulated runtime on a socket', () =>
  underTest(async (runtime, folder) => {
    const socket = join(folder, 'runtime.sock')
    let server: CriServer = await serveCri(runtime, socket)
    const client = connectCri({ endpoint: server.endpoint, environment: environment() })
    return {
      runtime: client,
      async restart() {
        await server.close()
        server = await serveCri(runtime, socket)
      },
      async close() {
        client.close()
        await server.close()
      },
    }
  }),
)

runtimeContract('the simulated runtime in process', () =>
  underTest(async (runtime) => ({
    runtime: inProcessRuntime(runtime, { environment: environment() }),
    restart: async () => {},
    close: async () => {},
  })),
)

async function underTest(
  connect: (runtime: SimulatedRuntime, folder: string) => Promise<RuntimeConnection>,
): Promise<RuntimeUnderTest> {
  const alive = setInterval(() => {}, 60_000) // timers of a clock do not keep the process alive
  const folder = mkdtempSync(join(tmpdir(), 'proa-simulated-'))
  const simulated = await simulatedRuntime({ environment: environment(), scenario })
  const { runtime, restart, close } = await connect(simulated, folder)
  return {
    runtime,
    folder,
    image: 'localhost/busybox:1',
    registry,
    cgroupParent: '/simulated',
    lacks: { network: 'a simulated pod has no network' },
    async memoryLimit(containerId) {
      const { status } = await runtime.containerStatus({ containerId })
      return status?.resources?.linux?.memoryLimitInBytes ?? 0
    },
    restart,
    async close() {
      await close()
      await simulated.close()
      clearInterval(alive)
      rmSync(folder, { recursive: true })
    },
  }
}
