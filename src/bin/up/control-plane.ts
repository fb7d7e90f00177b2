import { readFileSync } from 'node:fs'
import type { ApiServerOptions } from '../../apiserver/options.js'
import { type RunningApiServer, startApiServer } from '../../apiserver/server.js'
import type { Environment } from '../../base/environment.js'
import {
  type ControllerOptions,
  inProcessTransports,
  type RunningControllers,
  startControllers,
} from '../../controllers/manager.js'
import { type RunningScheduler, schedulerTransport, startScheduler } from '../../scheduler/scheduler.js'
import { unfinishedWarnings } from './unfinished-resources.js'

export interface ControlPlaneOptions {
  readonly environment: Environment
  readonly server: ApiServerOptions
  readonly controllers: (server: RunningApiServer) => ControllerOptions
}

export interface ControlPlane {
  readonly server: RunningApiServer
  close(): Promise<void>
}

/** Starts the API server, the controllers and the scheduler in this process. Resolves when controllers and scheduler are synced. */
export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { environment } = options
  let controllers: RunningControllers | undefined
  let scheduler: RunningScheduler | undefined
  const components = { 'controller-manager': () => controllers, scheduler: () => scheduler }
  const server = await startApiServer({ ...options.server, components, notices: unfinishedWarnings() }, environment)
  controllers = startControllers({
    environment,
    ...options.controllers(server),
    readFile: (path) => readFileSync(path, 'utf8'),
    ...inProcessTransports(server.api.handleInProcess),
  })
  scheduler = startScheduler({ environment, transport: schedulerTransport(server.api.handleInProcess) })
  await Promise.all([controllers.synced(), scheduler.synced()])
  return {
    server,
    async close() {
      await scheduler?.close()
      await controllers?.close()
      await server.close()
    },
  }
}
