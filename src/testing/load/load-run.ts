import { Agent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { ApiServerProcess } from '../processes/api-server-process.js'
import { consistencyFaults } from './consistency-check.js'
import { sendLoadRequest } from './http-requests.js'
import { LoadLedger } from './ledger.js'
import { listRepeatedly } from './lister.js'
import { Watcher } from './watcher.js'
import { writeRepeatedly } from './writer.js'

export interface LoadRunOptions {
  readonly writers: number
  readonly watchers: number
  /** The signals sent to the server, with `between` milliseconds of load before, between and after. */
  readonly ends: readonly ('SIGKILL' | 'SIGTERM')[]
  readonly between: number
}

export interface LoadRunResult {
  readonly acknowledged: number
  readonly unacknowledged: number
  readonly events: number
  readonly snapshots: number
  readonly resumed: number
  /** The number of watches that the server ended properly. */
  readonly cleanEnds: number
  readonly faults: readonly string[]
}

/** Runs writers, watchers and listers on a server that is killed meanwhile, and compares everything that they saw. */
export async function runLoad(options: LoadRunOptions): Promise<LoadRunResult> {
  await using server = await ApiServerProcess.start()
  return await underLoad(server, options)
}

async function underLoad(server: ApiServerProcess, options: LoadRunOptions): Promise<LoadRunResult> {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  await sendLoadRequest(agent, 'POST', `${server.url}/api/v1/namespaces`, { metadata: { name: 'load' } })
  const url = `${server.url}/api/v1/namespaces/load/configmaps`
  const start = Number((await sendLoadRequest(agent, 'GET', url)).body.metadata.resourceVersion)
  let over = false
  const isOver = () => over
  const ledger = new LoadLedger()
  const watchers = Array.from({ length: options.watchers }, () => new Watcher(url, start))
  const watching = Promise.all(watchers.map((watcher) => watcher.run()))
  const writing = Promise.all(
    Array.from({ length: options.writers }, (_, number) => writeRepeatedly({ number, url, ledger, isOver })),
  )
  const listing = Promise.all([0, 7, 50].map((pageSize) => listRepeatedly({ url, isOver, pageSize })))
  const restarts = restartServer(server, options).finally(() => {
    over = true
  })
  const [, , snapshots] = await Promise.all([restarts, writing, listing])
  const [last] = await listRepeatedly({ url, isOver: once(), pageSize: 0 })
  await untilAllSeen(watchers, last!.revision)
  for (const watcher of watchers) watcher.stop()
  await watching
  agent.destroy()
  const observations = { ledger, watchers: watchers.map(({ seen }) => seen), snapshots: snapshots.flat(), last: last! }
  return {
    acknowledged: ledger.acknowledged.length,
    unacknowledged: ledger.unacknowledged.length,
    events: watchers.reduce((sum, { seen }) => sum + seen.length, 0),
    snapshots: observations.snapshots.length,
    resumed: watchers.reduce((sum, { resumed }) => sum + resumed, 0),
    cleanEnds: watchers.reduce((sum, { cleanEnds }) => sum + cleanEnds, 0),
    faults: [...watchers.flatMap(({ faults }) => faults), ...consistencyFaults(observations), ...logged(server)],
  }
}

/** Restarts the server with each signal. */
async function restartServer(server: ApiServerProcess, { ends, between }: LoadRunOptions): Promise<void> {
  for (const signal of ends) {
    await pause(between)
    const exit = await server.end(signal)
    if (signal === 'SIGTERM' && exit !== 0)
      throw new Error(`after SIGTERM the server exited with ${exit}: ${JSON.stringify(server.log.slice(-5))}`)
    await server.start()
  }
  await pause(between)
}

function once(): () => boolean {
  let asked = 0
  return () => asked++ > 0
}

/** Gives slow watchers up to ten seconds. A watcher that is still behind has missed something. */
async function untilAllSeen(watchers: readonly Watcher[], revision: number): Promise<void> {
  for (let i = 0; i < 500 && watchers.some((watcher) => watcher.revision < revision); i++) await pause(20)
}

function logged(server: ApiServerProcess): string[] {
  return server.log.filter(({ level }) => level === 'error').map((line) => `the log says: ${JSON.stringify(line)}`)
}
