/**
 * Kills a writing process over and over, and after each time holds what the store has against what was said: every acknowledged
 * write is there, one that was not is wholly there or wholly absent, revisions never go back, and a watch from any kept revision
 * replays exactly what was committed.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Random, seededRandom } from '../../../base/random.js'
import { openEmbeddedStore } from '../../../storage/embedded/embedded-store.js'
import { CompactedError } from '../../../storage/errors.js'
import type { Store, StoreEvent } from '../../../storage/store.js'
import { describeEntry, describeEvent, idOf, WriteLedger, type WriterLine } from './ledger.js'

const writer = fileURLToPath(new URL('writer.js', import.meta.url))

export interface KillOptions {
  readonly directory: string
  readonly kills: number
  readonly seed: number
  readonly report?: (trial: KillReport) => void
}

export interface KillReport {
  readonly kill: number
  readonly revision: number
  readonly oldest: number
  readonly acknowledged: number
  /** Committed, but killed before it could be said. */
  readonly unsaid: number
  /** Asked for, but absent. */
  readonly lost: number
  readonly compactions: number
  /** Whether a compaction was under way or still to be swept when the process was killed. */
  readonly duringCompaction: boolean
}

export async function killWriterRepeatedly({ directory, kills, seed, report }: KillOptions): Promise<void> {
  const random = seededRandom(seed)
  const ledger = new WriteLedger()
  for (let kill = 1; kill <= kills; kill++) {
    const compacting = random.float() < 0.4
    const said = await writeAndKill(directory, { seed: seed * 1000 + kill, compacting, random })
    const trial = await verify(directory, { said, ledger, random })
    report?.({ kill, ...trial })
  }
}

interface Run {
  readonly seed: number
  readonly compacting: boolean
  readonly random: Random
}

/** Starts the writer, and kills it some time after its first write, or right after it began to compact. */
async function writeAndKill(directory: string, { seed, compacting, random }: Run): Promise<WriterLine[]> {
  const mode = compacting ? 'compact' : 'write'
  const child = spawn(process.execPath, [writer, directory, String(seed), mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const lines: WriterLine[] = []
  const signal = compacting ? 'compacting' : 'done'
  let waiting = true
  for await (const text of createInterface({ input: child.stdout })) {
    const line: WriterLine = JSON.parse(text)
    lines.push(line)
    if (!waiting || line.type !== signal) continue
    waiting = false
    setTimeout(() => child.kill('SIGKILL'), random.float() * (compacting ? 15 : 300))
  }
  assert.equal(child.signalCode ?? 'SIGKILL', 'SIGKILL', 'the writer ended by itself')
  assert.ok(!waiting, 'the writer ended before it was killed')
  return lines
}

interface Verification {
  readonly said: readonly WriterLine[]
  readonly ledger: WriteLedger
  readonly random: Random
}

async function verify(directory: string, { said, ledger, random }: Verification): Promise<Omit<KillReport, 'kill'>> {
  const store = await openEmbeddedStore({ directory })
  try {
    const { revision } = await store.range({ prefix: '', countOnly: true })
    assert.ok(revision >= ledger.revision, `revision ${revision} after ${ledger.revision}`)
    const oldest = await oldestRevision(store, revision)
    const compactions = verifyCompaction(said, oldest)
    const entered = await enter(store, { said, ledger, oldest, revision })
    await compareReads(store, { ledger, oldest, random })
    await compareLeases(store, said)
    return { revision, oldest, ...entered, ...compactions }
  } finally {
    await store.close()
  }
}

async function oldestRevision(store: Store, revision: number): Promise<number> {
  if (revision === 1) return 1
  try {
    await store.get('any', { revision: 1 })
    return 1
  } catch (error) {
    assert.ok(error instanceof CompactedError)
    return error.oldest
  }
}

function verifyCompaction(said: readonly WriterLine[], oldest: number) {
  const begun = said.filter((line) => line.type === 'compacting').map(({ revision }) => revision)
  const done = said.filter((line) => line.type === 'compacted').map(({ revision }) => revision)
  assert.ok(oldest >= Math.max(1, ...done), `compacted to ${Math.max(...done)}, but ${oldest} is still kept`)
  return {
    compactions: begun.length,
    duringCompaction: begun.length > done.length || said.at(-1)?.type === 'compacted',
  }
}

/** Enters all that happened since the last time into the ledger, revision by revision. */
async function enter(
  store: Store,
  {
    said,
    ledger,
    oldest,
    revision,
  }: { said: readonly WriterLine[]; ledger: WriteLedger; oldest: number; revision: number },
) {
  const intents = new Map(said.filter((line) => line.type === 'intent').map(({ id, changes }) => [id, changes]))
  const acknowledged = new Map(said.filter((line) => line.type === 'done').map(({ id, revision: at }) => [at, id]))
  for (const [at, id] of acknowledged) assert.ok(at <= revision, `${id} was acknowledged at ${at}, but is gone`)
  const seen = await eventsByRevision(store, Math.max(oldest, ledger.revision + 1), revision)
  let unsaid = 0
  while (ledger.revision < revision) {
    const at = ledger.revision + 1
    const id = acknowledged.get(at) ?? findId(seen.get(at), at)
    if (!acknowledged.has(at)) unsaid++
    const intent = intents.get(id)
    assert.ok(intent, `nobody asked for ${id}, which stands at revision ${at}`)
    ledger.enter(id, intent)
    if (at >= oldest) assert.deepEqual((seen.get(at) ?? []).map(describeEvent), ledger.eventsOf(at))
  }
  return { acknowledged: acknowledged.size, unsaid, lost: intents.size - acknowledged.size - unsaid }
}

function findId(events: readonly StoreEvent[] | undefined, revision: number): string {
  const put = events?.find((event) => event.type === 'put')
  assert.ok(put?.type === 'put', `revision ${revision} is missing from the history`)
  return idOf(put.entry.value)
}

async function eventsByRevision(store: Store, from: number, to: number): Promise<Map<number, StoreEvent[]>> {
  const found = new Map<number, StoreEvent[]>()
  for (const event of await watchAll(store, from, to)) {
    const revision = event.type === 'put' ? event.entry.modRevision : event.revision
    const events = found.get(revision)
    if (events) events.push(event)
    else found.set(revision, [event])
  }
  return found
}

async function watchAll(store: Store, from: number, to: number): Promise<StoreEvent[]> {
  const found: StoreEvent[] = []
  if (from > to) return found
  for await (const { events, revision } of store.watch({ prefix: '', revision: from })) {
    found.push(...events)
    if (revision >= to) break
  }
  return found
}

/** The present, some moments of the past, and watches from some of them. */
async function compareReads(
  store: Store,
  { ledger, oldest, random }: { ledger: WriteLedger; oldest: number; random: Random },
): Promise<void> {
  const moments = [oldest, ledger.revision]
  for (let i = 0; i < 6; i++) moments.push(oldest + random.integer(ledger.revision - oldest + 1))
  for (const revision of moments) {
    const { entries } = await store.range({ prefix: '', revision })
    assert.deepEqual(entries.map(describeEntry).sort(), ledger.stateAt(revision))
    const events = await watchAll(store, revision, ledger.revision)
    assert.deepEqual(events.map(describeEvent), ledger.eventsFrom(revision))
  }
}

async function compareLeases(store: Store, said: readonly WriterLine[]): Promise<void> {
  for (const line of said)
    if (line.type === 'lease') assert.deepEqual(await store.keepLeaseAlive(line.id), { id: line.id, seconds: 3600 })
}
