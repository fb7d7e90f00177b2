import { Agent, request } from 'node:https'
import { adminToken } from '../../src/testing/servers/server-folder.js'
import { median, type ReportFigure } from '../figure.js'
import { namespace, namespaceObject, pod, serviceAccount } from './objects.js'
import { sendSuccessfully } from './server-process.js'

const inside = `/api/v1/namespaces/${namespace}`

/** Creates the objects that pods need. */
export async function prepare(url: string): Promise<void> {
  await sendSuccessfully(url, { method: 'POST', path: '/api/v1/namespaces', content: namespaceObject() })
  await sendSuccessfully(url, { method: 'POST', path: `${inside}/serviceaccounts`, content: serviceAccount() })
}

/** Creates pods with names of different lengths, in ten shards. */
export async function populate(url: string, count: number): Promise<void> {
  let next = 0
  const worker = async () => {
    while (next < count) {
      const i = next++
      const content = pod(`l${'x'.repeat(i % 10)}-${i}`, i % 10)
      await sendSuccessfully(url, { method: 'POST', path: `${inside}/pods`, content })
    }
  }
  await Promise.all(Array.from({ length: 32 }, worker))
}

interface ListOptions {
  readonly url: string
  readonly count: number
  readonly report: ReportFigure
  readonly isBudgeted: boolean
}

export async function listFigures({ url, count, report, isBudgeted }: ListOptions): Promise<void> {
  const measure = async (what: string, query: string, { times, objects, budget }: ListCase) => {
    const { milliseconds, bytes } = await timed(url + inside + query, times)
    const each = ((median(milliseconds) * 1000) / objects).toFixed(2)
    report({
      name: `apiserver: ${what} of ${count}`,
      value: median(milliseconds),
      unit: 'ms',
      ...(isBudgeted && budget && { budget }),
      note: `best ${Math.min(...milliseconds).toFixed(1)} ms, ${(bytes / 1e6).toFixed(1)} MB, ${each} µs an object`,
    })
  }
  await measure('list pods, all', '/pods', { times: 25, objects: count, budget: '≤ 25 ms' })
  await measure('list pods, limit 500', '/pods?limit=500', { times: 40, objects: 500 })
  await measure('list pods, by label', '/pods?labelSelector=shard%3D3', { times: 40, objects: count / 10 })
}

interface ListCase {
  readonly times: number
  readonly objects: number
  readonly budget?: string
}

/** Measures the time to the last byte. Does not concatenate or parse the bytes, which is the cost of the client. */
async function timed(address: string, times: number): Promise<{ milliseconds: number[]; bytes: number }> {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false })
  const milliseconds: number[] = []
  let bytes = 0
  for (let i = 0; i < times; i++) {
    const begun = performance.now()
    bytes = await received(address, agent)
    milliseconds.push(performance.now() - begun)
  }
  agent.destroy()
  return { milliseconds, bytes }
}

function received(address: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${adminToken}` }
    const sent = request(address, { agent, headers }, (response) => {
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
      })
      response.on('end', () => (response.statusCode === 200 ? resolve(bytes) : reject(new Error(`${address} failed`))))
    })
    sent.on('error', reject).end()
  })
}
