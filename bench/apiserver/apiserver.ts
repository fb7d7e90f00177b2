/**
 * Compares the API server over HTTPS with a bare Node HTTPS server in the same run. The two alternate, because other processes use the machine
 * as well. `by CPU time` compares the CPU time of a request, which other processes hardly change.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { median, type ReportFigure } from '../figure.js'
import { listFigures, populate, prepare } from './lists.js'
import { type Load, type LoadResult, load } from './load-generator.js'
import { configMap, namespace, pod } from './objects.js'
import { type MeasuredServer, sendSuccessfully, startApiServer, startBareServer } from './server-process.js'
import { watchFigures } from './watches.js'

const rounds = 7
const roundSeconds = 1
/** V8 needs some ten thousand pods to optimize all code. */
const warmUpSeconds = 5
const small = 5000
const large = 50_000

export async function apiServerFigures(report: ReportFigure): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-bench-'))
  try {
    await startFigures(join(folder, 'start'), report)
    const server = await startApiServer(join(folder, 'throughput'))
    const bare = await startBareServer(join(folder, 'throughput'))
    await prepare(server.url)
    await throughputFigures({ server, bare, report })
    await server.stop()
    await sizeFigures(join(folder, 'small'), { bare, count: small, report })
    await sizeFigures(join(folder, 'large'), { bare, count: large, report })
    await bare.stop()
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function startFigures(folder: string, report: ReportFigure): Promise<void> {
  const first: number[] = []
  const again: number[] = []
  const memory: number[] = []
  for (let i = 0; i < 5; i++) {
    const data = join(folder, String(i))
    for (const times of [first, again]) {
      const server = await startApiServer(data)
      times.push(server.readyAfter)
      if (times === again) {
        await new Promise((resolve) => setTimeout(resolve, 1000))
        memory.push(server.memory())
      }
      await server.stop()
    }
  }
  const note = (times: readonly number[]) => `best of ${times.length} ${Math.min(...times).toFixed(0)} ms`
  const budget = '≤ 700 ms'
  report({ name: 'apiserver: first start, keys are made', value: median(first), unit: 'ms', budget, note: note(first) })
  report({ name: 'apiserver: start', value: median(again), unit: 'ms', budget, note: note(again) })
  report({ name: 'apiserver: resident memory, idle', value: median(memory), unit: 'MB', budget: '≤ 160 MB' })
}

interface Pair {
  readonly server: MeasuredServer
  readonly bare: MeasuredServer
  readonly report: ReportFigure
}

const inside = `/api/v1/namespaces/${namespace}`
const podBody = JSON.stringify(pod('pod-@'))

async function throughputFigures(pair: Pair): Promise<void> {
  const { server, bare } = pair
  const echo: Load = { url: bare.url, method: 'POST', path: '/', body: podBody }
  const own = { url: server.url, method: 'POST' } as const
  const map: Load = { ...own, path: `${inside}/configmaps`, body: JSON.stringify(configMap('cm-@')) }
  await compare(pair, { name: 'create configmap', own: map, other: echo, percent: 45 })
  await compare(pair, {
    name: 'create pod',
    own: { ...own, path: `${inside}/pods`, body: podBody },
    other: echo,
    percent: 35,
  })
  await sendSuccessfully(server.url, { method: 'POST', path: `${inside}/pods`, content: pod('getme') })
  await compareGets(pair)
}

function compareGets(pair: Pair, suffix = ''): Promise<void> {
  const { server, bare } = pair
  const own: Load = { url: server.url, method: 'GET', path: `${inside}/pods/getme` }
  const other: Load = { url: bare.url, method: 'GET', path: '/' }
  return compare(pair, { name: `get pod${suffix}`, own, other, percent: 60 })
}

interface Comparison {
  readonly name: string
  readonly own: Load
  readonly other: Load
  /** The required share of the bare server's throughput. */
  readonly percent: number
}

interface Round extends LoadResult {
  /** CPU time of the server per request, in microseconds. */
  readonly cpu: number
}

async function compare({ server, bare, report }: Pair, { name, own, other, percent }: Comparison): Promise<void> {
  const ours: Round[] = []
  const bares: Round[] = []
  await load(own, warmUpSeconds)
  await load(other, 1)
  for (let i = 0; i < rounds; i++) {
    ours.push(await round(server, own))
    bares.push(await round(bare, other))
  }
  const ratios = ours.map(({ perSecond }, i) => (100 * perSecond) / bares[i]!.perSecond)
  const cpu = (of: readonly Round[]) => median(of.map((one) => one.cpu))
  const best = (of: readonly Round[]) => Math.max(...of.map(({ perSecond }) => perSecond)).toFixed(0)
  const byCpu = (100 * cpu(bares)) / cpu(ours)
  report({
    name: `apiserver: ${name}`,
    value: median(ratios),
    unit: '% of bare',
    budget: `≥ ${percent} %`,
    note: `by CPU time ${byCpu.toFixed(0)} %: ${cpu(ours).toFixed(0)} against ${cpu(bares).toFixed(0)} µs; best rounds ${best(ours)}/s against ${best(bares)}/s`,
  })
}

async function round(server: MeasuredServer, given: Load): Promise<Round> {
  const before = server.cpu()
  const result = await load(given, roundSeconds)
  return { ...result, cpu: (server.cpu() - before) / result.requests }
}

interface Size {
  readonly bare: MeasuredServer
  readonly count: number
  readonly report: ReportFigure
}

async function sizeFigures(folder: string, { bare, count, report }: Size): Promise<void> {
  const server = await startApiServer(folder)
  await prepare(server.url)
  await populate(server.url, count)
  await listFigures({ url: server.url, count, report, isBudgeted: count === small })
  await sendSuccessfully(server.url, { method: 'POST', path: `${inside}/pods`, content: pod('getme') })
  if (count !== small) await compareGets({ server, bare, report }, ` of ${count}`)
  await watchFigures({ url: server.url, report, among: count })
  report({ name: `apiserver: resident memory, ${count} pods`, value: server.memory(), unit: 'MB' })
  await server.stop()
  const again = await startApiServer(folder)
  report({ name: `apiserver: start with ${count} pods`, value: again.readyAfter, unit: 'ms' })
  await again.stop()
}
