import { Agent, get } from 'node:https'
import { adminToken } from '../../src/testing/servers/server-folder.js'
import type { ReportFigure } from '../figure.js'
import { configMap, namespace } from './objects.js'
import { sendSuccessfully } from './server-process.js'

const watchers = 50
const updates = 300
const path = `/api/v1/namespaces/${namespace}/configmaps`

interface WatchOptions {
  readonly url: string
  readonly report: ReportFigure
  /** The number of other objects. */
  readonly among: number
}

/** Fifty watchers see three hundred changes of one object. Each watcher must see every change once, in order. */
export async function watchFigures({ url, report, among }: WatchOptions): Promise<void> {
  const created = await sendSuccessfully(url, { method: 'POST', path, content: configMap('watched') })
  const { resourceVersion } = JSON.parse(created.toString()).metadata
  const sent: number[] = []
  const delays: number[] = []
  const seen: number[][] = []
  const agent = new Agent({ rejectUnauthorized: false })
  const query = `watch=1&resourceVersion=${resourceVersion}&fieldSelector=metadata.name%3Dwatched`
  const stops = await Promise.all(
    Array.from({ length: watchers }, (_, w) => {
      const mine: number[] = []
      seen[w] = mine
      return watch(`${url}${path}?${query}`, agent, (update) => {
        mine.push(update)
        delays.push(performance.now() - sent[update]!)
      })
    }),
  )
  for (let i = 0; i < updates; i++) {
    sent[i] = performance.now()
    const content = { data: { i: String(i) } }
    await sendSuccessfully(url, {
      method: 'PATCH',
      path: `${path}/watched`,
      content,
      type: 'application/merge-patch+json',
    })
  }
  const deadline = performance.now() + 10_000
  while (delays.length < watchers * updates && performance.now() < deadline)
    await new Promise((resolve) => setTimeout(resolve, 20))
  for (const stop of stops) stop()
  agent.destroy()
  for (const mine of seen)
    if (mine.length !== updates || mine.some((update, i) => update !== i))
      throw new Error(`a watcher saw ${mine.length} of ${updates} changes, or not in order`)
  delays.sort((a, b) => a - b)
  const at = (part: number) => delays[Math.floor(delays.length * part)]!
  report({
    name: `apiserver: watch, ${watchers} watchers, p99, ${among} pods`,
    value: at(0.99),
    unit: 'ms',
    budget: '≤ 8 ms',
    note: `p50 ${at(0.5).toFixed(1)} ms; none missed, none twice`,
  })
}

/** Resolves when the watch is established. */
function watch(address: string, agent: Agent, saw: (update: number) => void): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const sent = get(address, { agent, headers: { authorization: `Bearer ${adminToken}` } }, (response) => {
      let rest = ''
      response.setEncoding('utf8').on('data', (chunk: string) => {
        const lines = (rest + chunk).split('\n')
        rest = lines.pop()!
        for (const line of lines) saw(Number(JSON.parse(line).object.data.i))
      })
      response.on('error', () => {}) // the end that `stop` makes
      resolve(() => void sent.destroy())
    })
    sent.on('error', reject)
  })
}
