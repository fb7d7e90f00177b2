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

/** What every component that works beside the API server is told: upstream's names. */
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

/** What a component works with while it may work. */
export interface ComponentContext {
  readonly environment: Environment
  readonly connection: ConnectionConfig
  /** Of the component itself. */
  readonly client: Client
  /** A transport of its own, in the component's name or in another one, that writes only as long as nobody else leads. */
  readonly transport: (credentials?: CredentialSource) => Transport
  /** Aborted when the work is to end. */
  readonly signal: AbortSignal
  /** Resolves then: whether somebody else may be at work already. */
  readonly stopped: Promise<{ readonly isOvertaken: boolean }>
}

/** Runs until it is told to stop; where several are started, one after the other. */
export async function runComponent(
  component: string,
  flags: ComponentFlags,
  work: (world: ComponentContext) => Promise<void>,
): Promise<void> {
  const environment = commandEnvironment(flags.v)
  const connection = await connectionOf(flags)
  const transport = await connect(connection, { environment, userAgent: component })
  const client = new Client(transport)
  const parts = { component, environment, connection, client }
  const ending = new AbortController()
  void untilStopped().then(() => ending.abort())
  const port = await openComponentPort({ flags, client, environment, checks: [] })
  const events = eventRecorder(client, { component }, environment)
  try {
    if (flags['leader-elect'])
      await lead({ ...electionOf(flags, parts), signal: ending.signal, events }, (signal, leadership) =>
        work(contextOf(parts, signal, leadership)),
      )
    else await work(contextOf(parts, ending.signal))
  } catch (error) {
    // Whoever was leader and is not any more starts afresh: nothing that it knows is certain.
    if (error instanceof LeadershipLostError)
      throw new Error('leadership was lost; start it again to stand for it anew')
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
      const own = credentials && { credentials }
      return onlyLeading(connect(connection, { environment, userAgent: component, ...own }), leadership)
    },
    stopped: untilAborted(signal).then(() => ({ isOvertaken: signal.reason instanceof LeadershipLostError })),
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
