import { readFileSync } from 'node:fs'
import type { ApiServerOptions } from '../../apiserver/options.js'
import { type RunningApiServer, startApiServer } from '../../apiserver/server.js'
import type { Environment } from '../../base/environment.js'
import { type ControllerOptions, inProcessTransports, startControllers } from '../../controllers/manager.js'
import { schedulerTransport, startScheduler } from '../../scheduler/scheduler.js'

export interface ControlPlaneParts {
  readonly environment: Environment
  readonly server: ApiServerOptions
  readonly controllers: (server: RunningApiServer) => ControllerOptions
}

export interface ControlPlane {
  readonly server: RunningApiServer
  close(): Promise<void>
}

/** The API server, the control loops and the scheduler in this process. Resolves when they know what there is. */
export async function startControlPlane(parts: ControlPlaneParts): Promise<ControlPlane> {
  const { environment } = parts
  const server = await startApiServer(parts.server, environment)
  const loops = startControllers({
    environment,
    ...parts.controllers(server),
    readFile: (path) => readFileSync(path, 'utf8'),
    ...inProcessTransports(server.api.answer),
  })
  const scheduler = startScheduler({ environment, transport: schedulerTransport(server.api.answer) })
  await Promise.all([loops.synced(), scheduler.synced()])
  return {
    server,
    async close() {
      await scheduler.close()
      await loops.close()
      await server.close()
    },
  }
}
