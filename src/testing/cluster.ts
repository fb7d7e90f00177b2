import type { Client } from '../client/client.js'
import type { ControllerFlags } from '../controllers/catalogue.js'
import { inProcessTransports, type RunningControllers, startControllers } from '../controllers/manager.js'
import {
  type RunningScheduler,
  type SchedulerOptions,
  schedulerTransport,
  startScheduler,
} from '../scheduler/scheduler.js'
import { startTestApiServer, type TestApiServer, type TestApiServerOptions } from './servers/api-server.js'
import { inProcessClient } from './servers/clients.js'
import { checkWorldWhenSettled, type WorldCheckOptions } from './world-check/world-check.js'

export interface TestClusterOptions extends TestApiServerOptions {
  /** As `--controllers` names them: all that are on by themselves unless told. */
  readonly controllers?: readonly string[]
  /** Flags of the controllers, with their defaults unless given. */
  readonly controllerFlags?: Partial<ControllerFlags>
  /** Whether there is a scheduler, or what is special about it; none unless told. */
  readonly scheduler?: boolean | Pick<SchedulerOptions, 'profiles' | 'queue'>
  /** Names of checks of the world that the test breaks on purpose. */
  readonly brokenRules?: readonly string[]
  /** Whether the world is checked when it is closed. Yes, unless told: a user's test may leave what it likes. */
  readonly isChecked?: boolean
}

export interface TestCluster extends TestApiServer {
  /** Of an administrator, in this process. */
  readonly client: Client
  readonly controllers: RunningControllers
  /** Ends the loops and starts others in their place, as after a crash of the controller manager. */
  restartControllers(): Promise<void>
  /** Undefined if there is none. */
  readonly scheduler: RunningScheduler | undefined
  /** The same for the scheduler. */
  restartScheduler(): Promise<void>
}

/**
 * An API server, control loops and perhaps a scheduler in this process. Resolves when they know what is there. Closing it checks the
 * world.
 */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  let cluster: TestCluster | undefined
  const components = { 'controller-manager': () => cluster?.controllers, scheduler: () => cluster?.scheduler }
  const server = await startTestApiServer({ ...options, options: { components, ...options.options } })
  const client = inProcessClient(server)
  let controllers = await startLoops(server, options)
  let scheduler = await startOwnScheduler(server, options)
  const close = async () => {
    try {
      if (options.isChecked ?? true) await checkWorldWhenSettled(server, checkedIn(controllers, options))
    } finally {
      await scheduler?.close()
      await controllers.close()
      client.close()
      await server.close()
    }
  }
  cluster = {
    ...server,
    client,
    get controllers() {
      return controllers
    },
    async restartControllers() {
      await controllers.close()
      controllers = await startLoops(server, options)
    },
    get scheduler() {
      return scheduler
    },
    async restartScheduler() {
      await scheduler?.close()
      scheduler = await startOwnScheduler(server, options)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
  return cluster
}

/** What must be true at the end of every test. */
function checkedIn(
  { informers, names }: RunningControllers,
  { brokenRules = [] }: TestClusterOptions,
): WorldCheckOptions {
  return { informers: [informers], controllers: names, except: brokenRules }
}

async function startLoops(
  { api, environment, authority, keys }: TestApiServer,
  { controllers, controllerFlags }: TestClusterOptions,
): Promise<RunningControllers> {
  const { serviceAccountKey, signing } = keys
  const running = startControllers({
    environment,
    ...inProcessTransports(api.handleInProcess),
    flags: { ...controllerFlags, ...(controllers && { controllers }) },
    credentials: { rootAuthority: authority, serviceAccountKey, signing },
  })
  await running.synced()
  return running
}

async function startOwnScheduler(
  { api, environment }: TestApiServer,
  { scheduler }: TestClusterOptions,
): Promise<RunningScheduler | undefined> {
  if (!scheduler) return undefined
  const special = scheduler === true ? {} : scheduler
  const running = startScheduler({ environment, transport: schedulerTransport(api.handleInProcess), ...special })
  await running.synced()
  return running
}
