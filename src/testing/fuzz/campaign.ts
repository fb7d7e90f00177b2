import { ApiServerProcess } from '../processes/api-server-process.js'
import { closed, type DeliveryResult } from './delivery-result.js'
import { type HostileRequest, hostileRequest } from './hostile-request.js'
import { fuzzNamespaces } from './hostile-targets.js'
import { Http1Client } from './http1-client.js'
import { Http2Client } from './http2-client.js'
import { responseFault } from './response-check.js'
import { checkBasicRequests, checkStoredObjects, deleteTestObjects } from './server-check.js'
import { WellBehavedClient } from './well-behaved-client.js'

export interface CampaignOptions {
  readonly count: number
  /** The seed of the first request; each following request has the next seed. */
  readonly seed: number
  /** No new request is sent after this number of milliseconds. */
  readonly most: number
  readonly report?: (sent: number) => void
}

export interface CampaignResult {
  readonly sent: number
  /** The number of results by name: `201`, `closed` … */
  readonly results: Readonly<Record<string, number>>
  /** Sentences, each with the seed that reproduces the fault. */
  readonly faults: readonly string[]
  readonly stored: number
  /** Megabytes of live objects before the run, and after all test objects were deleted. */
  readonly memory: readonly [before: number, after: number]
}

/** The number of concurrent clients. */
const clients = 12

export async function runFuzzCampaign(options: CampaignOptions): Promise<CampaignResult> {
  await using server = await ApiServerProcess.start({ isProbed: true, flags: ['--advertise-address=192.0.2.1'] })
  const client = new WellBehavedClient(server.url)
  try {
    for (const name of fuzzNamespaces)
      await client.sendSuccessfully('POST', '/api/v1/namespaces', { metadata: { name } })
    const warming = await warmUp(server, options)
    if (server.exit !== undefined) return fallen(warming, server)
    await deleteTestObjects(client)
    const before = await server.liveMemory()
    const attack = new Attack(server, options)
    await attack.run()
    if (server.exit !== undefined) return fallen(attack, server)
    const { count, faults } = await checkStoredObjects(client)
    await checkBasicRequests(client, 'after-all')
    await deleteTestObjects(client)
    const after = await server.liveMemory()
    const all = [...attack.faults, ...faults, ...(await serverFaults(server, client))]
    return { sent: attack.sent, results: attack.results, faults: all, stored: count, memory: [before, after] }
  } finally {
    client.close()
  }
}

/** The result after the server has exited, with its last log lines. */
function fallen({ sent, results, faults }: Attack, { log, exit }: ApiServerProcess): CampaignResult {
  const words = log.slice(-20).map((line) => JSON.stringify(line))
  const all = [...faults, `the server ended with ${exit}: ${words.join('\n')}`]
  return { sent, results, faults: all, stored: 0, memory: [0, 0] }
}

/** Warms up caches, compiled code and connections, so that they do not count as leaks. */
async function warmUp(server: ApiServerProcess, { count, seed, most }: CampaignOptions): Promise<Attack> {
  const warming = new Attack(server, { count: Math.ceil(count / 5), seed: seed + 1_000_000_000, most: most / 5 })
  await warming.run()
  return warming
}

async function serverFaults(server: ApiServerProcess, client: WellBehavedClient): Promise<string[]> {
  const errors = server.log
    .filter(({ level }) => level === 'error')
    .map((line) => `the log says: ${JSON.stringify(line)}`)
  const inherited = await server.pollution()
  if (inherited.length > 0) errors.push(`every object has inherited ${inherited.join(', ')}`)
  const { text } = await client.send('GET', '/metrics')
  const lines = text.split('\n').length
  if (lines > mostMetrics) errors.push(`there are ${lines} lines of metrics`)
  return errors
}

/** Names that clients invent must not become labels of metrics. */
const mostMetrics = 60_000

class Attack {
  sent = 0
  readonly results: Record<string, number> = {}
  readonly faults: string[] = []
  readonly #server: ApiServerProcess
  readonly #options: CampaignOptions

  constructor(server: ApiServerProcess, options: CampaignOptions) {
    this.#server = server
    this.#options = options
  }

  async run(): Promise<void> {
    const { most } = this.#options
    const end = performance.now() + most
    await Promise.all(Array.from({ length: clients }, () => this.#attack(end)))
  }

  async #attack(end: number): Promise<void> {
    const { count, seed, report } = this.#options
    const { port } = this.#server
    const http1 = new Http1Client(port)
    const http2 = new Http2Client(port)
    while (this.sent < count && performance.now() < end && this.#server.exit === undefined) {
      const request = hostileRequest(seed + this.sent++)
      const client = request.delivery.startsWith('http2') ? http2 : http1
      this.#note(request, await client.send(request).catch(() => closed))
      report?.(this.sent)
    }
    http1.close()
    http2.close()
  }

  #note(request: HostileRequest, result: DeliveryResult): void {
    const name = result.is === 'answered' ? String(result.status) : result.is
    this.results[name] = (this.results[name] ?? 0) + 1
    const why = responseFault(request, result)
    if (why !== undefined)
      this.faults.push(`seed ${request.seed}: ${request.method} ${request.target} (${request.delivery}): ${why}`)
    if (this.#server.exit !== undefined)
      this.faults.push(`seed ${request.seed}: ${request.method} ${request.target}: was under way when the server ended`)
  }
}
