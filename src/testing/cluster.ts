import type { Client } from '../client/client.js'
import type { LoopOptions } from '../controllers/catalogue.js'
import { oneForAll } from '../controllers/certificate-signing/signers.js'
import { inProcessTransports, type RunningControllers, startControllers } from '../controllers/manager.js'
import { startTestApiServer, type TestApiServer, type TestApiServerOptions } from './api-server.js'
import { inProcessClient } from './clients.js'

export interface TestClusterOptions extends TestApiServerOptions {
  /** As `--controllers` names them: all that are on by themselves unless told. */
  readonly controllers?: readonly string[]
  readonly loops?: LoopOptions
}

export interface TestCluster extends TestApiServer {
  /** Of an administrator, in this process. */
  readonly client: Client
  /** Ends the loops and starts others in their place, as after a crash of the controller manager. */
  restartControllers(): Promise<void>
}

/** An API server and control loops in this process. Resolves when the loops know what is there. */
export async function startTestCluster(options: TestClusterOptions = {}): Promise<TestCluster> {
  const server = await startTestApiServer(options)
  const client = inProcessClient(server)
  let controllers = await startLoops(server, options)
  const close = async () => {
    await controllers.close()
    client.close()
    await server.close()
  }
  return {
    ...server,
    client,
    async restartControllers() {
      await controllers.close()
      controllers = await startLoops(server, options)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

async function startLoops(
  { api, environment, authority, keys }: TestApiServer,
  { controllers, loops }: TestClusterOptions,
): Promise<RunningControllers> {
  const { serviceAccountKey, signing } = keys
  const running = startControllers({
    environment,
    ...inProcessTransports(api.answer),
    ...(controllers && { controllers }),
    options: { rootAuthority: authority, serviceAccountKey, signing: { authorities: oneForAll(signing) }, ...loops },
  })
  await running.synced()
  return running
}
