import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Environment } from '../base/environment.js'
import { Client } from '../client/client.js'
import { connect } from '../client/connect.js'
import type { Connection } from '../client/connection.js'
import { eventRecorder } from '../client/events/recorder.js'
import { resolveConnection } from '../client/kubeconfig/resolve.js'
import { LeadershipLostError, lead } from '../client/leader-election.js'
import { thisMachine } from '../client/machine.js'
import type { Transport } from '../client/transport.js'
import { startScheduler } from '../scheduler/scheduler.js'
import { explain } from './explain.js'
import { describeFlags, parseFlags, UsageError } from './flags.js'
import { type SchedulerFlags, schedulerFlags } from './scheduler-flags.js'
import { untilStopped } from './signals.js'
import { surroundings } from './surroundings.js'

const usage = `The scheduler: it finds a node for each pod that has none.

Usage:
  proa scheduler --kubeconfig FILE [flags]

Flags:
${describeFlags(schedulerFlags)}`

const component = 'kube-scheduler'

/** The command `proa scheduler`, without its own name; gives the exit code. */
export async function schedulerCommand(args: readonly string[]): Promise<number> {
  try {
    const flags = parseFlags(schedulerFlags, args)
    if (flags.help) process.stdout.write(usage)
    else await run(flags)
    return 0
  } catch (error) {
    process.stderr.write(`proa scheduler: ${explain(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

interface Parts {
  readonly flags: SchedulerFlags
  readonly connection: Connection
  readonly environment: Environment
}

async function run(flags: SchedulerFlags): Promise<void> {
  const parts = { flags, environment: surroundings(flags.v), connection: await connectionOf(flags) }
  const transport = await transportOf(parts)
  const ending = new AbortController()
  void untilStopped().then(() => ending.abort())
  try {
    if (flags['leader-elect']) await lead(electionOf(parts, transport, ending.signal), (signal) => work(parts, signal))
    else await work(parts, ending.signal)
  } catch (error) {
    // Whoever was leader and is not any more starts afresh: nothing that it knows is certain.
    if (error instanceof LeadershipLostError)
      throw new Error('leadership was lost; start it again to stand for it anew')
    throw error
  } finally {
    transport.close()
  }
}

function connectionOf({ kubeconfig, master }: SchedulerFlags): Promise<Connection> {
  return resolveConnection(thisMachine(), {
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(master !== undefined && { flags: { server: master } }),
  })
}

function transportOf({ connection, environment }: Parts): Promise<Transport> {
  return connect(connection, { environment, userAgent: component })
}

function electionOf({ flags, environment }: Parts, transport: Transport, signal: AbortSignal) {
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

async function work(parts: Parts, signal: AbortSignal): Promise<void> {
  const { environment } = parts
  const scheduler = startScheduler({ environment, transport: await transportOf(parts) })
  await scheduler.synced()
  process.stdout.write('The scheduler is at work.\n')
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  await scheduler.close()
}
