import assert from 'node:assert/strict'
import { tooManyRequests, unknown } from '../../api/errors.js'
import { type Random, seededRandom } from '../../base/random.js'
import type { TransportFault, WatchFault } from '../../testing/faults/faulty-transport.js'
import { ChangeRecorder, InformerHarness, RandomWriter } from '../../testing/faults/informer-harness.js'

/** Within this time, whatever happened, the copy is what the server has. In milliseconds: see `attention.ts` and the back-off. */
export const recoveryTime = 90_000 + 60_000 + 15_000

/** About an hour in which everything goes wrong, from the requests of an informer to the store of the server; and a quiet end. */
export async function surviveTrouble(seed: number): Promise<void> {
  await using world = await InformerHarness.start()
  const random = seededRandom(seed)
  const writer = new RandomWriter(world, random)
  const informer = await world.synced()
  const fold = new ChangeRecorder(informer)
  world.faultOf = () => randomFault(random, ['cut', 'ended', 'stalled', 'expired'])
  let backup: Backup | undefined = await backUp(world)
  for (let i = 0; i < 60; i++) {
    for (let k = random.integer(4); k > 0; k--) await writer.write()
    if (backup && random.float() < 0.05) backup = await backUp(world)
    if (random.float() < 0.04) {
      const restored: Backup | undefined = random.float() < 0.5 ? backup : undefined
      await restart(world, random, writer, restored)
      if (restored) backup = undefined // the store must not catch up at once: see below
    }
    await world.clock.advance(random.integer(90_000))
  }
  world.faultOf = () => ({})
  await world.clock.advance(recoveryTime)
  await world.assertEqual(informer)
  assert.deepEqual(new Set(fold.objects.values()), new Set(informer.list()))
  assert.deepEqual(errorsIn(world), [])
}

type Backup = ReturnType<InformerHarness['backup']>

/** Much happens after it. See the README for what cannot be noticed about a store that catches up soon. */
async function backUp(world: InformerHarness): Promise<Backup> {
  const backup = world.backup()
  await world.letRevisionsPass(150)
  return backup
}

export function randomFault(random: Random, ends: readonly WatchFault[]): TransportFault {
  const watch = { how: ends[random.integer(ends.length)]!, after: random.integer(200_000) }
  if (random.float() < 0.6) return { watch }
  const faults: readonly TransportFault[] = [
    { refused: new Error('connect ECONNREFUSED') },
    { refused: tooManyRequests('not now', 1 + random.integer(10)) },
    { refused: unknown('something broke') },
    { responseLost: new Error('socket hang up') },
    { hangs: 'before' },
    { hangs: 'after' },
    { requestDelay: random.integer(20_000), watch },
    { responseDelay: random.integer(20_000), watch },
  ]
  return faults[random.integer(faults.length)]!
}

async function restart(
  world: InformerHarness,
  random: Random,
  writer: RandomWriter,
  backup: Backup | undefined,
): Promise<void> {
  await world.stopServer()
  await world.clock.advance(random.integer(120_000))
  await world.startServer(backup)
  await writer.reload()
}

/** Handlers that failed, for example. */
export function errorsIn({ records }: InformerHarness): readonly unknown[] {
  return records.filter(({ level }) => level === 'error')
}
