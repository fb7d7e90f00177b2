import { ConfigMap } from '../src/api/core/v1/config-map.js'
import type { Client } from '../src/client/client.js'
import { startTestApiServer } from '../src/testing/servers/api-server.js'
import { httpsClient, inProcessClient } from '../src/testing/servers/clients.js'
import type { ReportFigure } from './figure.js'

/** Concurrent requests, as of a component with as many workers. */
const workers = 16
const seconds = 3

/** Measures the transports alone: client and server in one process, objects in memory. */
export async function clientFigures(report: ReportFigure): Promise<void> {
  await using server = await startTestApiServer()
  const [near, far] = [inProcessClient(server), httpsClient(server)]
  for (const measure of [creates, gets]) {
    const overNetwork = await measure(far, 'far')
    const inside = await measure(near, 'near')
    const note = `over HTTPS ${overNetwork.toFixed(0)}/s, ${(inside / overNetwork).toFixed(1)} times as many`
    report({ name: `client: ${measure.name} a ConfigMap in-process`, value: inside, unit: '/s', note })
  }
  near.close()
  far.close()
}

function creates(client: Client, prefix: string): Promise<number> {
  const configMaps = client.resource(ConfigMap).in('default')
  return perSecond((number) => configMaps.create({ metadata: { name: `${prefix}-${number}` }, data: { key: 'value' } }))
}

function gets(client: Client): Promise<number> {
  const configMaps = client.resource(ConfigMap).in('default')
  return perSecond(() => configMaps.get('far-1'))
}

async function perSecond(run: (number: number) => Promise<unknown>): Promise<number> {
  let count = 0
  const start = performance.now()
  const end = start + seconds * 1000
  // In process nothing waits for I/O, so yield to the event loop.
  const work = async () => {
    while (performance.now() < end) {
      for (let i = 0; i < 50; i++) await run(count++)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await Promise.all(Array.from({ length: workers }, work))
  return (count * 1000) / (performance.now() - start)
}
