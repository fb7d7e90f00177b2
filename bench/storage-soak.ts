/**
 * npm run soak:storage [updates]: a million updates over a thousand keys of two kilobytes. Prints the size of
 * the file in relation to its live data, and the memory of the process.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbeddedStore } from '../src/storage/embedded/embedded-store.js'

const updates = Number(process.argv[2] ?? 1_000_000)
const keys = Array.from({ length: 1000 }, (_, i) => `/registry/pods/default/pod-${String(i).padStart(4, '0')}`)
const valueBytes = 2048
const writers = 64
const windowSeconds = 5
const megabyte = 1024 * 1024

const folder = mkdtempSync(join(tmpdir(), 'proa-soak-'))
const directory = join(folder, 'store')
const store = await openEmbeddedStore({ directory, historyWindow: windowSeconds * 1000 })
const started = performance.now()
let asked = 0
let done = 0
let slowest = 0
let largestHistory = 0
let worst = 0
const secondly: number[] = []

const timer = setInterval(() => {
  secondly.push(done)
  report()
}, 1000)
await Promise.all(Array.from({ length: writers }, write))
clearInterval(timer)
secondly.push(done)
report(true)
const seconds = (performance.now() - started) / 1000
console.log(`${updates} updates in ${seconds.toFixed(1)} s, ${Math.round(updates / seconds)}/s`)
console.log(`largest file against 4 × (live data + history window): ${Math.round(worst * 100)} % of the bound`)
await store.close()
rmSync(folder, { recursive: true })
if (worst > 1) process.exitCode = 1

async function write(): Promise<void> {
  while (asked < updates) {
    const value = Buffer.alloc(valueBytes)
    value.writeUInt32LE(asked)
    const key = keys[asked++ % keys.length]!
    const begun = performance.now()
    await store.transact({ changes: [{ type: 'put', key, value }] })
    slowest = Math.max(slowest, performance.now() - begun)
    done++
  }
}

/** Compaction runs in steps, so history may stay for a second longer than the window. */
function report(last = false): void {
  const live = keys.length * (keys[0]!.length + valueBytes)
  const history = (done - (secondly.at(-windowSeconds - 2) ?? 0)) * (keys[0]!.length + valueBytes)
  const file = statSync(join(directory, 'data.mdb')).size
  // The file does not shrink, so compare it with the largest amount of data so far.
  largestHistory = Math.max(largestHistory, history)
  const bound = 4 * (live + largestHistory)
  worst = Math.max(worst, file / bound)
  if (secondly.length % 5 !== 0 && !last) return
  globalThis.gc?.()
  const { heapUsed } = process.memoryUsage()
  console.log(
    `${String(done).padStart(8)} updates: file ${mb(file)}, live ${mb(live)}, history ${mb(history)}, ` +
      `file/(live+history) ${(file / (live + history)).toFixed(2)}; own memory ${anonymous()}, heap ${mb(heapUsed)}; slowest put ${slowest.toFixed(0)} ms`,
  )
  slowest = 0
}

function mb(bytes: number): string {
  return `${(bytes / megabyte).toFixed(1)} MB`
}

/** Memory of the process without the mapped file, which the system can reclaim. */
function anonymous(): string {
  const kilobytes = /RssAnon:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return mb(Number(kilobytes) * 1024)
}
