import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { whenAborted } from '../base/abort.js'
import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { connect } from '../client/connect.js'
import type { Connection } from '../client/connection.js'
import { readPem } from '../client/credentials/files.js'
import { pemPart } from '../client/credentials/user-credentials.js'
import { eventRecorder } from '../client/events/recorder.js'
import { resolveConnection } from '../client/kubeconfig/resolve.js'
import { LeadershipLostError, lead } from '../client/leader-election.js'
import { thisMachine } from '../client/machine.js'
import type { Transport } from '../client/transport.js'
import { AccountCredentials } from '../controllers/account-credentials.js'
import { startControllers } from '../controllers/manager.js'
import { command } from './command.js'
import { openComponentPort } from './component-port.js'
import { type ControllerManagerFlags, controllerManagerFlags } from './controller-manager-flags.js'
import { loopOptions } from './loop-flags.js'
import { untilStopped } from './signals.js'
import { surroundings } from './surroundings.js'

const component = 'kube-controller-manager'

export const controllerManagerCommand = command({
  name: 'controller-manager',
  about: `The control loops: they watch the world and push it towards what was asked.

Usage:
  proa controller-manager --kubeconfig FILE [flags]
`,
  flags: controllerManagerFlags,
  run,
})

async function run(flags: ControllerManagerFlags): Promise<void> {
  const environment = surroundings(flags.v)
  const connection = await connectionOf(flags)
  const transport = await connect(connection, { environment, userAgent: component })
  const ending = new AbortController()
  void untilStopped().then(() => ending.abort())
  const parts = { flags, connection, transport, environment }
  const port = await openComponentPort({ flags, client: new Client(transport), environment, checks: [] })
  try {
    if (flags['leader-elect']) await lead(electionOf(parts, ending.signal), (signal) => runLoops(parts, signal))
    else await runLoops(parts, ending.signal)
  } catch (error) {
    // Whoever was leader and is not any more starts afresh: nothing that it knows is certain.
    if (error instanceof LeadershipLostError)
      throw new Error('leadership was lost; start it again to stand for it anew')
    throw error
  } finally {
    await port?.close()
    transport.close()
  }
}

interface Parts {
  readonly flags: ControllerManagerFlags
  readonly connection: Connection
  readonly transport: Transport
  readonly environment: Environment
}

function connectionOf({ kubeconfig, master }: ControllerManagerFlags): Promise<Connection> {
  return resolveConnection(thisMachine(), {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(master !== undefined && { flags: { server: master } }),
  })
}

function electionOf({ flags, transport, environment }: Parts, signal: AbortSignal) {
  const client = new Client(transport)
  return {
    client,
    environment,
    signal,
    namespace: flags['leader-elect-resource-namespace'],
    name: flags['leader-elect-resource-name'],
    identity: `${hostname()}_${randomUUID()}`,
    leaseDuration: flags['leader-elect-lease-duration'],
    renewDeadline: flags['leader-elect-renew-deadline'],
    retryPeriod: flags['leader-elect-retry-period'],
    releaseOnCancel: true,
    events: eventRecorder(client, { component }, environment),
  }
}

async function runLoops(parts: Parts, signal: AbortSignal): Promise<void> {
  const { flags, connection, environment } = parts
  const client = new Client(parts.transport)
  const inOwnName = flags['use-service-account-credentials']
  const loops = startControllers({
    environment,
    controllers: flags.controllers,
    transport: later(connect(connection, { environment, userAgent: component })),
    transportOf(account) {
      const own = inOwnName &&
        account !== undefined && { credentials: new AccountCredentials(client, account, environment) }
      return later(connect(connection, { environment, userAgent: component, ...own }))
    },
    options: loopOptions(flags, { rootAuthority: await authorityOf(connection) }),
  })
  await loops.synced()
  process.stdout.write('The control loops are at work.\n')
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    whenAborted(signal, resolve)
  })
  await loops.close()
}

/** By whom this component knows the API server: so do pods, unless a flag says otherwise. */
async function authorityOf({ cluster }: Connection): Promise<string | undefined> {
  const part = pemPart(cluster['certificate-authority-data'], cluster['certificate-authority'])
  return part && (await readPem(part, thisMachine().files))
}

/** A transport that is still being made; who sends something waits for it. */
function later(transport: Promise<Transport>): Transport {
  return {
    send: async (request) => (await transport).send(request),
    close: () => void transport.then((made) => made.close()),
  }
}
