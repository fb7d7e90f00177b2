import { type ControllerOptions, inProcessTransports, startControllers } from '../../controllers/manager.js'
import type { TestCluster } from '../cluster.js'
import { WriteFaultInjector } from '../faults/write-faults.js'
import { checkWorldWhenSettled } from '../world-check/world-check.js'

export interface InterruptedControllersOptions {
  /** The names that `--controllers` takes. */
  readonly controllers: readonly string[]
  /** The number of writes after which the controllers are killed. Default: never. */
  readonly writes?: number
  readonly options?: ControllerOptions
}

/** Runs controllers beside the cluster until `work` ends. Runs the world check at the end if the controllers were not killed. */
export async function withControllers(
  { api, environment }: TestCluster,
  { controllers, writes = Number.POSITIVE_INFINITY, options = {} }: InterruptedControllersOptions,
  work: () => Promise<void>,
): Promise<void> {
  const { transport, transportOf } = inProcessTransports(api.handleInProcess)
  const { wrap: between } = new WriteFaultInjector({ after: writes })
  const transports = { transport: between(transport), transportOf: (account?: string) => between(transportOf(account)) }
  const flags = { ...options.flags, controllers }
  const running = startControllers({ environment, ...transports, ...options, flags })
  await running.synced()
  await work()
  if (writes === Number.POSITIVE_INFINITY)
    await checkWorldWhenSettled({ api, environment }, { informers: [running.informers], controllers: running.names })
  await running.close()
}
