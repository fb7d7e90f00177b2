/** Compares the embedded store with bare LMDB in the same run. A put counts when it is on disk. */
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import { openEmbeddedStore } from '../src/storage/embedded/embedded-store.js'
import { MemoryStore } from '../src/storage/memory/memory-store.js'
import type { Store, StoreEvent } from '../src/storage/store.js'
import type { ReportFigure } from './figure.js'

const keyCount = 5000
const valueBytes = 2048
const seconds = 0.75
const keys = Array.from({ length: keyCount }, (_, i) => `/registry/pods/default/pod-${String(i).padStart(6, '0')}`)

export async function storageFigures(report: ReportFigure): Promise<void> {
  await inFolder(async (folder) => {
    const store = await openEmbeddedStore({ directory: join(folder, 'store') })
    const bare = openBare(join(folder, 'bare'))
    await fill(store)
    for (const key of keys) bare.put(key, Buffer.alloc(valueBytes, 120))
    await bare.flushed
    await rangeFigures(store, bare, report)
    for (const writers of [16, 64]) {
      const [own, lmdb] = await alternate(8, [
        () => putsPerSecond(writers, (key, value) => store.transact({ changes: [{ type: 'put', key, value }] })),
        () => putsPerSecond(writers, (key, value) => bare.put(key, value)),
      ])
      reportBoth(report, {
        name: `storage: puts, ${writers} writers`,
        own,
        lmdb,
        target: writers === 16 ? 8000 : 15_000,
      })
    }
    const [own, lmdb] = await alternate(8, [
      () => getsPerSecond(async (key) => (await store.get(key)).entry!.value.length),
      () => getsPerSecond((key) => bare.getBinary(key)!.length),
    ])
    reportBoth(report, { name: 'storage: gets', own, lmdb, target: 150_000 })
    await watchFigures(store, report)
    await bareLatencyFigure(bare, report)
    flushFigure(folder, report)
    await Promise.all([store.close(), bare.close()])
  })
  await forkFigure(report)
}

/** Measures two functions alternately, so that both have the same conditions. Resolves with the mean of each. */
async function alternate(rounds: number, measures: readonly [() => Promise<number>, () => Promise<number>]) {
  const sums: [number, number] = [0, 0]
  for (let i = 0; i < rounds; i++) {
    sums[0] += (await measures[0]()) / rounds
    sums[1] += (await measures[1]()) / rounds
  }
  return sums
}

interface ComparedRates {
  readonly name: string
  readonly own: number
  readonly lmdb: number
  readonly target: number
}

function reportBoth(report: ReportFigure, { name, own, lmdb, target }: ComparedRates): void {
  const budget = `≥ ${target}/s and ≥ 50 % of bare LMDB`
  report({ name, value: own, unit: '1/s', budget, note: `${Math.round((own / lmdb) * 100)} %` })
  report({ name: `${name}, bare LMDB`, value: lmdb, unit: '1/s' })
}

async function inFolder(run: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-bench-'))
  try {
    await run(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Opens LMDB with the same guarantee as our store: a put is acknowledged when it is flushed. */
function openBare(path: string) {
  return open<Buffer, string>({
    path,
    encoding: 'binary',
    overlappingSync: false,
    mapSize: 16 * 1024 ** 3,
  })
}

async function fill(store: Store): Promise<void> {
  for (let i = 0; i < keyCount; i += 100)
    await store.transact({
      changes: keys.slice(i, i + 100).map((key) => ({ type: 'put', key, value: Buffer.alloc(valueBytes, 120) })),
    })
}

async function putsPerSecond(writers: number, put: (key: string, value: Buffer) => Promise<unknown>): Promise<number> {
  let done = 0
  let over = false
  const writer = async () => {
    while (!over) {
      await put(keys[Math.floor(Math.random() * keyCount)]!, Buffer.alloc(valueBytes, 120))
      done++
    }
  }
  const started = performance.now()
  setTimeout(() => {
    over = true
  }, seconds * 1000)
  await Promise.all(Array.from({ length: writers }, writer))
  return (done * 1000) / (performance.now() - started)
}

async function getsPerSecond(get: (key: string) => number | Promise<number>): Promise<number> {
  const count = 40_000
  let bytes = 0
  const started = performance.now()
  for (let i = 0; i < count; i++) {
    const read = get(keys[(i * 7919) % keyCount]!)
    bytes += typeof read === 'number' ? read : await read
  }
  if (bytes !== count * valueBytes) throw new Error('values are missing')
  return (count * 1000) / (performance.now() - started)
}

async function rangeFigures(store: Store, bare: ReturnType<typeof openBare>, report: ReportFigure): Promise<void> {
  const ownTimes: number[] = []
  const bareTimes: number[] = []
  for (let i = 0; i < 41; i++) {
    ownTimes.push(await timed(async () => (await store.range({ prefix: '/registry/pods/' })).entries.length))
    bareTimes.push(await timed(async () => [...bare.getRange({ start: '/registry/pods/' })].length))
  }
  const own = quantile(ownTimes, 0.5)
  const lmdb = quantile(bareTimes, 0.5)
  const note = `median of 41, best ${quantile(ownTimes, 0)} ms; ${((own / lmdb) * 100).toFixed(0)} % of bare LMDB`
  report({ name: 'storage: range of 5,000 keys', value: own, unit: 'ms', budget: '≤ 8 ms', note })
  report({ name: 'storage: range of 5,000 keys, bare LMDB', value: lmdb, unit: 'ms' })
}

async function timed(read: () => Promise<number>): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 5))
  const started = performance.now()
  if ((await read()) !== keyCount) throw new Error('keys are missing')
  return performance.now() - started
}

/**
 * Measures the time from a put to its delivery to each watcher. After each round, another one only waits for timers, to show the share of the
 * delay that the machine causes.
 */
async function watchFigures(store: Store, report: ReportFigure): Promise<void> {
  const watched: number[] = []
  const waited: number[] = []
  for (let round = 0; round < 9; round++) {
    watched.push(quantile(await deliveries(store), 0.99))
    waited.push(quantile(await timerDelays(), 0.99))
  }
  report({
    name: 'storage: watch delivery p99',
    value: quantile(watched, 0.5),
    unit: 'ms',
    budget: '≤ 5 ms',
    note: `50 watchers, 1,000 puts/s, from the call on; median of 9 rounds, best ${quantile(watched, 0)} ms`,
  })
  report({
    name: 'storage: delay of a bare timer p99',
    value: quantile(waited, 0.5),
    unit: 'ms',
    note: `between those rounds, with nothing to do; best ${quantile(waited, 0)} ms`,
  })
}

async function deliveries(store: Store): Promise<number[]> {
  const watchers = 50
  const puts = 1000
  // Allocated in advance, so that no garbage collection of it disturbs the measurement.
  const begun = new Float64Array(puts)
  const latencies = new Float64Array(puts * watchers)
  let delivered = 0
  const { revision } = await store.range({ prefix: '', countOnly: true })
  const watch = async () => {
    let seen = 0
    for await (const { events } of store.watch({ prefix: '/registry/pods/', revision: revision + 1 })) {
      const now = performance.now()
      for (const event of events) latencies[delivered++] = now - begun[numberIn(event)]!
      seen += events.length
      if (seen === puts) return
    }
  }
  const watching = Array.from({ length: watchers }, watch)
  await putSteadily(puts, (i) => {
    const value = Buffer.alloc(valueBytes, 120)
    value.writeUInt32LE(i)
    begun[i] = performance.now()
    return store.transact({ changes: [{ type: 'put', key: keys[i % keyCount]!, value }] })
  })
  await Promise.all(watching)
  if (delivered !== puts * watchers) throw new Error(`${delivered} deliveries, not ${puts * watchers}`)
  return [...latencies]
}

async function timerDelays(): Promise<number[]> {
  const delays: number[] = []
  for (let i = 0; i < 500; i++) {
    const begun = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 1))
    delays.push(performance.now() - begun - 1)
  }
  return delays
}

function numberIn(event: StoreEvent): number {
  if (event.type !== 'put') throw new Error('only puts were made')
  const { buffer, byteOffset } = event.entry.value
  return new DataView(buffer, byteOffset).getUint32(0, true)
}

/** Sends one put per millisecond, without waiting for the results. */
async function putSteadily(count: number, put: (i: number) => Promise<unknown>): Promise<void> {
  const started = performance.now()
  const answers: Promise<unknown>[] = []
  while (answers.length < count) {
    const due = Math.min(count, Math.floor(performance.now() - started))
    while (answers.length < due) answers.push(put(answers.length))
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  await Promise.all(answers)
}

/** Measures the same puts on bare LMDB without watchers, to show the share of the disk and the machine. */
async function bareLatencyFigure(bare: ReturnType<typeof openBare>, report: ReportFigure): Promise<void> {
  const latencies: number[] = []
  await putSteadily(5000, async (i) => {
    const begun = performance.now()
    await bare.put(keys[i % keyCount]!, Buffer.alloc(valueBytes, 120))
    latencies.push(performance.now() - begun)
  })
  const note = `at 1,000/s; median ${quantile(latencies, 0.5)} ms`
  report({ name: 'storage: put latency p99, bare LMDB', value: quantile(latencies, 0.99), unit: 'ms', note })
}

/** Measures the disk: 64 KB written and flushed. */
function flushFigure(folder: string, report: ReportFigure): void {
  const descriptor = openSync(join(folder, 'flush'), 'w')
  const block = Buffer.alloc(64 * 1024, 120)
  const latencies: number[] = []
  for (let i = 0; i < 1000; i++) {
    writeSync(descriptor, block, 0, block.length, (i % 64) * block.length)
    const begun = performance.now()
    fdatasyncSync(descriptor)
    latencies.push(performance.now() - begun)
  }
  closeSync(descriptor)
  const note = `median ${quantile(latencies, 0.5)} ms`
  report({ name: 'storage: flush of 64 KB by this disk, p99', value: quantile(latencies, 0.99), unit: 'ms', note })
}

async function forkFigure(report: ReportFigure): Promise<void> {
  const store = new MemoryStore()
  const value = Buffer.alloc(100)
  for (let i = 0; i < 1000; i++)
    await store.transact({
      changes: Array.from({ length: 100 }, (_, k) => ({ type: 'put', key: `key-${i}-${k}`, value })),
    })
  const times: number[] = []
  for (let i = 0; i < 101; i++) {
    const started = performance.now()
    const fork = store.fork()
    times.push(performance.now() - started)
    await fork.transact({ changes: [{ type: 'put', key: 'key-1-1', value }] })
    await fork.close()
  }
  await store.close()
  const note = 'median of 101'
  report({ name: 'storage: fork of 100,000 keys in memory', value: quantile(times, 0.5), unit: 'ms', note })
}

function quantile(values: number[], share: number): number {
  return round(values.sort((a, b) => a - b)[Math.floor((values.length - 1) * share)]!)
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}
