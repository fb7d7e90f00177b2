import type { RunningNode } from '../kubelet/run-node.js'
import type { TestApiServer } from './servers/api-server.js'
import { startSimulatedNode } from './simulated-node.js'
import { makeFolder, removeFolder } from './temporary-folders.js'

/** The nodes of one cluster: `node-0`, `node-1` … */
export class SimulatedNodes {
  readonly #server: Pick<TestApiServer, 'api' | 'environment'>
  readonly #folder = makeFolder('nodes')
  readonly #running: RunningNode[] = []

  constructor(server: Pick<TestApiServer, 'api' | 'environment'>) {
    this.#server = server
  }

  async start(count: number): Promise<void> {
    const folder = this.#folder
    for (let number = 0; number < count; number++) {
      const podRange = `10.${100 + (number >> 8)}.${number & 255}.0/24`
      this.#running.push(await startSimulatedNode(this.#server, { name: `node-${number}`, folder, podRange }))
    }
  }

  async close(): Promise<void> {
    await Promise.all(this.#running.map((node) => node.close()))
    removeFolder(this.#folder)
  }
}
