import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { whenAborted } from '../../base/abort.js'
import type { Environment } from '../../base/environment.js'
import { boolean, duration, integer, optionalText, text } from '../../base/flags/flag-types.js'
import type { FlagValues } from '../../base/flags/flags.js'
import { Client } from '../../client/client.js'
import { connect } from '../../client/connect.js'
import type { ConnectionConfig } from '../../client/connection-config.js'
import type { CredentialSource } from '../../client/credentials/credential.js'
import { eventRecorder } from '../../client/events/recorder.js'
import { thisHost } from '../../client/host-access.js'
import { resolveConnection } from '../../client/kubeconfig/resolve.js'
import { type Leadership, LeadershipLostError, lead } from '../../client/leader-election/leader-election.js'
import type { Transport } from '../../client/transport.js'
import { commandEnvironment } from '../process/command-environment.js'
import { untilStopped } from '../process/signals.js'
import { openComponentPort, type PortFlags, portFlags } from './component-port.js'

/** The flags of every component that connects to an API server, with upstream's names. */
export function componentFlags(component: string, port: number) {
  return {
    kubeconfig: optionalText('The kubeconfig with the address of the API server and the credentials for it.', {
      placeholder: 'FILE',
    }),
    master: optionalText('The address of the API server. It replaces the one in the kubeconfig.', {
      placeholder: 'URL',
    }),
    'leader-elect': boolean('Elect a leader, so that only one of several instances works.', { initial: true }),
    'leader-elect-lease-duration': duration(
      'How long other instances wait for the leader to renew its lease before they take over.',
      { initial: 15_000 },
    ),
    'leader-elect-renew-deadline': duration('How long the leader tries to renew its lease before it stops.', {
      initial: 10_000,
    }),
    'leader-elect-retry-period': duration('How often the leader renews its lease, and other instances try to get it.', {
      initial: 2_000,
    }),
    'leader-elect-resource-name': text('The name of the lease.', { placeholder: 'NAME', initial: component }),
    'leader-elect-resource-namespace': text('The namespace of the lease.', {
      placeholder: 'NAME',
      initial: 'kube-system',
    }),
    ...portFlags(port),
    v: integer('The log level. 4 and more log every detail.', { placeholder: 'LEVEL' }),
    help: { ...boolean('Show this help.'), short: 'h' },
  }
}

type ComponentFlags = FlagValues<ReturnType<typeof componentFlags>> & PortFlags

/** What a component gets when it starts to work: at once, or when it becomes the leader. */
export interface ComponentContext {
  readonly environment: Environment
  readonly connection: ConnectionConfig
  /** A client with the credentials of the component. */
  readonly client: Client
  /** Returns a new transport with these credentials or the component's. It rejects writes when another instance may be the leader. */
  readonly transport: (credentials?: CredentialSource) => Transport
  /** Aborted when the component must stop. */
  readonly signal: AbortSignal
  /** Resolves when `signal` is aborted. `isLeadershipLost`: another instance may be working already. */
  readonly stopped: Promise<{ readonly isLeadershipLost: boolean }>
}

/** Runs a component until a signal stops it. With leader election, `work` starts when this instance becomes the leader. */
export async function runComponent(
  component: string,
  flags: ComponentFlags,
  work: (context: ComponentContext) => Promise<void>,
): Promise<void> {
  const environment = commandEnvironment(flags.v)
  const connection = await connectionOf(flags)
  const transport = await connect(connection, { environment, userAgent: component })
  const client = new Client(transport)
  const dependencies = { component, environment, connection, client }
  const ending = new AbortController()
  void untilStopped().then(() => ending.abort())
  const port = await openComponentPort({ flags, client, environment, checks: [] })
  const events = eventRecorder(client, { component }, environment)
  try {
    if (flags['leader-elect'])
      await lead({ ...electionOf(flags, dependencies), signal: ending.signal, events }, (signal, leadership) =>
        work(contextOf(dependencies, signal, leadership)),
      )
    else await work(contextOf(dependencies, ending.signal))
  } catch (error) {
    // A former leader must restart, because its caches may be out of date.
    if (error instanceof LeadershipLostError)
      throw new Error(`the ${component} lost its leadership; start it again to take part in the next election`)
    throw error
  } finally {
    await port?.close()
    await events.close()
    transport.close()
  }
}

interface ComponentDependencies {
  readonly component: string
  readonly environment: Environment
  readonly connection: ConnectionConfig
  readonly client: Client
}

function contextOf(
  { component, ...parts }: ComponentDependencies,
  signal: AbortSignal,
  leadership?: Leadership,
): ComponentContext {
  const { environment, connection } = parts
  return {
    ...parts,
    signal,
    transport(credentials) {
      const connecting = connect(connection, { environment, userAgent: component, ...(credentials && { credentials }) })
      return leaderTransport(connecting, leadership)
    },
    stopped: untilAborted(signal).then(() => ({ isLeadershipLost: signal.reason instanceof LeadershipLostError })),
  }
}

function connectionOf({ kubeconfig, master }: ComponentFlags): Promise<ConnectionConfig> {
  return resolveConnection(thisHost(), {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(master !== undefined && { flags: { server: master } }),
  })
}

function electionOf(flags: ComponentFlags, { client, environment }: ComponentDependencies) {
  return {
    client,
    environment,
    namespace: flags['leader-elect-resource-namespace'],
    name: flags['leader-elect-resource-name'],
    identity: `${hostname()}_${randomUUID()}`,
    leaseDuration: flags['leader-elect-lease-duration'],
    renewDeadline: flags['leader-elect-renew-deadline'],
    retryPeriod: flags['leader-elect-retry-period'],
    releaseOnCancel: true,
  }
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else whenAborted(signal, resolve)
  })
}

/** Returns a transport that waits for `connecting`, and checks before each write that this instance is still the leader. */
function leaderTransport(connecting: Promise<Transport>, leadership: Leadership | undefined): Transport {
  return {
    async send(request) {
      const transport = await connecting
      if (request.method !== 'GET') leadership?.check()
      return transport.send(request)
    },
    close: () => void connecting.then((transport) => transport.close()),
  }
}
