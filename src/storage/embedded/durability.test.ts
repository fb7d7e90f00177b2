import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { putKey } from '../../testing/storage/contract/harness.js'
import { temporaryStoreFolder } from '../../testing/storage/store-folders.js'
import { openEmbeddedStore } from './embedded-store.js'

const puts = 40

// This file is also the traced process: it prints when a put starts and when it is acknowledged.
if (process.argv[2] === 'write') await writeAndSay(process.argv[3]!)
else describe('an acknowledged write', registerTests)

async function writeAndSay(directory: string): Promise<void> {
  const store = await openEmbeddedStore({ directory })
  let next = 0
  const writer = async () => {
    while (next < puts) {
      const i = next++
      writeSync(1, `begin ${i}\n`)
      await putKey(store, `key-${i}`, 'x'.repeat(3000))
      writeSync(1, `done ${i}\n`)
    }
  }
  await Promise.all([writer(), writer(), writer()])
  await store.close()
}

function registerTests(): void {
  test('is flushed to disk as a record of the journal', (context) => {
    if (spawnSync('strace', ['--version']).error) return context.skip('needs strace')
    const folder = temporaryStoreFolder(context)
    const trace = join(folder, 'trace')
    const child = [process.execPath, fileURLToPath(import.meta.url), 'write', join(folder, 'store')]
    const { status, stderr } = spawnSync('strace', [
      '-f',
      '-o',
      trace,
      '-e',
      'trace=openat,fdatasync,pwrite64,write',
      ...child,
    ])
    if (status !== 0 && /ptrace|Operation not permitted/.test(String(stderr))) return context.skip('may not trace here')
    assert.equal(status, 0, String(stderr))
    const steps = readTrace(readFileSync(trace, 'utf8'))
    for (let i = 0; i < puts; i++) {
      const begin = steps.indexOf(`begin ${i}`)
      const done = steps.indexOf(`done ${i}`)
      assert.ok(begin >= 0 && done > begin)
      assert.ok(steps.slice(begin, done).includes('record flushed'), `put ${i} was acknowledged without a flush`)
    }
  })
}

/** Returns the events in the order of their completion: records of the journal, and output of the process. */
function readTrace(trace: string): string[] {
  const steps: string[] = []
  const unfinished = new Map<string, string>()
  const flushing = new Set<string>()
  for (const line of trace.split('\n')) {
    const [, thread = '', text = ''] = /^(\d+) +(.*)$/.exec(line) ?? []
    if (text.endsWith('<unfinished ...>')) {
      unfinished.set(thread, text)
      continue
    }
    const call = /^<\.\.\. \w+ resumed>/.test(text) ? `${unfinished.get(thread)}${text}` : text
    // A write to such a descriptor completes only when it is on disk.
    const opened = /^openat\(.*journal-\d".*O_DSYNC.* = (\d+)$/.exec(call)
    const written = /^pwrite64\((\d+),/.exec(call)
    if (opened) flushing.add(opened[1]!)
    else if (written && flushing.has(written[1]!)) steps.push('record flushed')
    else steps.push(/^write\(1, "(.*)\\n"/.exec(call)?.[1] ?? '')
  }
  return steps
}
