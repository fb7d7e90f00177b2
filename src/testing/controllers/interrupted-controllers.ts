import { type ControllerOptions, inProcessTransports, startControllers } from '../../controllers/manager.js'
import type { TestCluster } from '../cluster.js'
import { WriteFaultInjector } from '../faults/write-faults.js'
import { checkWorldWhenSettled } from '../world-check/world-check.js'

export interface InterruptedControllersOptions {
  /** As `--controllers` names them. */
  readonly controllers: readonly string[]
  /** After so many writes they are killed; never unless told. */
  readonly writes?: number
  readonly options?: ControllerOptions
}

/** Runs loops beside the cluster for as long as `live` takes; where they live on, all must be well in the end. */
export async function withControllers(
  { api, environment }: TestCluster,
  { controllers, writes = Number.POSITIVE_INFINITY, options = {} }: InterruptedControllersOptions,
  live: () => Promise<void>,
): Promise<void> {
  const { transport, transportOf } = inProcessTransports(api.handleInProcess)
  const { wrap: between } = new WriteFaultInjector({ after: writes })
  const mortal = { transport: between(transport), transportOf: (account?: string) => between(transportOf(account)) }
  const flags = { ...options.flags, controllers }
  const loops = startControllers({ environment, ...mortal, ...options, flags })
  await loops.synced()
  await live()
  if (writes === Number.POSITIVE_INFINITY)
    await checkWorldWhenSettled({ api, environment }, { informers: [loops.informers], controllers: loops.names })
  await loops.close()
}
