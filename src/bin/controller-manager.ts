import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { whenAborted } from '../base/abort.js'
import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { connect } from '../client/connect.js'
import type { Connection } from '../client/connection.js'
import { eventRecorder } from '../client/events/recorder.js'
import { resolveConnection } from '../client/kubeconfig/resolve.js'
import { type Leadership, LeadershipLostError, lead } from '../client/leader-election.js'
import { thisMachine } from '../client/machine.js'
import type { Transport } from '../client/transport.js'
import { AccountCredentials } from '../controllers/account-credentials.js'
import { startControllers } from '../controllers/manager.js'
import { command } from './command.js'
import { type ControllerManagerFlags, controllerManagerFlags } from './controller-manager-flags.js'
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
  const events = eventRecorder(new Client(transport), { component }, environment)
  try {
    if (flags['leader-elect'])
      await lead({ ...electionOf(parts, ending.signal), events }, (signal, leadership) =>
        runLoops(parts, signal, leadership),
      )
    else await runLoops(parts, ending.signal)
  } catch (error) {
    // Whoever was leader and is not any more starts afresh: nothing that it knows is certain.
    if (error instanceof LeadershipLostError)
      throw new Error('leadership was lost; start it again to stand for it anew')
    throw error
  } finally {
    await events.close()
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
  return {
    client: new Client(transport),
    environment,
    signal,
    namespace: flags['leader-elect-resource-namespace'],
    name: flags['leader-elect-resource-name'],
    identity: `${hostname()}_${randomUUID()}`,
    leaseDuration: flags['leader-elect-lease-duration'],
    renewDeadline: flags['leader-elect-renew-deadline'],
    retryPeriod: flags['leader-elect-retry-period'],
    releaseOnCancel: true,
  }
}

async function runLoops(parts: Parts, signal: AbortSignal, leadership?: Leadership): Promise<void> {
  const { flags, connection, environment } = parts
  const client = new Client(parts.transport)
  const rootFile = flags['root-ca-file']
  const inOwnName = flags['use-service-account-credentials']
  const transportAs = (account: string | undefined) => {
    const own = inOwnName &&
      account !== undefined && { credentials: new AccountCredentials(client, account, environment) }
    return onlyLeading(connect(connection, { environment, userAgent: component, ...own }), leadership)
  }
  const loops = startControllers({
    environment,
    controllers: flags.controllers,
    transport: transportAs(undefined),
    transportOf: transportAs,
    options: { ...(rootFile !== undefined && { rootAuthority: readFileSync(rootFile, 'utf8') }) },
  })
  const stopped = untilAborted(signal)
  const atWork = loops.synced().then(() => process.stdout.write('The control loops are at work.\n'))
  await Promise.race([atWork, stopped])
  await stopped
  // Somebody else may be at work already.
  if (signal.reason instanceof LeadershipLostError) await loops.abandon()
  else await loops.close()
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else whenAborted(signal, resolve)
  })
}

/** A transport that is still being made; who sends something waits for it, and writes only as long as nobody else does. */
function onlyLeading(transport: Promise<Transport>, leadership: Leadership | undefined): Transport {
  return {
    async send(request) {
      const made = await transport
      if (request.method !== 'GET') leadership?.check()
      return made.send(request)
    },
    close: () => void transport.then((made) => made.close()),
  }
}
