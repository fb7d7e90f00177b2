import { after, afterEach, before, describe } from 'node:test'
import { containerContract } from './container-contract.js'
import { eventContract } from './event-contract.js'
import { imageContract } from './image-contract.js'
import { logContract } from './log-contract.js'
import { resourceContract } from './resource-contract.js'
import { restartContract } from './restart-contract.js'
import type { RuntimeUnderTest } from './runtime-under-test.js'
import { sandboxContract } from './sandbox-contract.js'
import { streamContract } from './stream-contract.js'
import { Trial } from './trial.js'

/** Registers the tests that every container runtime passes, the simulated one as well as a real one. */
export function runtimeContract(name: string, start: () => Promise<RuntimeUnderTest>): void {
  describe(`${name} keeps the contract of a container runtime`, () => {
    let trial: Trial
    before(async () => {
      trial = new Trial(await start())
    })
    afterEach(() => trial.clear())
    after(() => trial.world.close())
    const at = () => trial

    imageContract(at)
    sandboxContract(at)
    containerContract(at)
    logContract(at)
    streamContract(at)
    resourceContract(at)
    eventContract(at)
    restartContract(at)
  })
}
