import { setTimeout as realTime } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { sleep } from '../../base/clock.js'
import { VirtualClock } from '../../base/virtual-clock.js'
import { Client } from '../../client/client.js'
import { type Informer, keyOf } from '../../client/informers/informer.js'
import type { Informers, StartedInformer } from '../../client/informers/informers.js'
import type { AnyObject } from '../../client/resource-client.js'
import type { TestApiServer } from '../servers/api-server.js'
import { inProcessClient } from '../servers/clients.js'
import { takeSnapshot } from './cluster-snapshot.js'
import { type Invariant, invariants } from './invariants.js'

export interface WorldCheckOptions {
  /** All of `worldChecks` unless told. */
  readonly invariants?: readonly Invariant[]
  /** Those that are to hold what the server holds. */
  readonly informers?: readonly Informers[]
  /** The loops that are at work, by name: what others would see to is not looked at. All of them unless told. */
  readonly controllers?: readonly string[]
  /** Names of checks that a test breaks on purpose. */
  readonly except?: readonly string[]
}

/** What is wrong with the snapshot, all of it. */
export class WorldCheckError extends Error {
  override readonly name = 'WorldError'
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    super(`the snapshot is not as it should be:\n${violations.map((each) => `- ${each}`).join('\n')}`)
    this.violations = violations
  }
}

/** Throws a `WorldError` unless all is well. For a cluster that has come to rest: at the end of every test that has one. */
export async function checkWorld(
  of: Client | Pick<TestApiServer, 'api'>,
  options: WorldCheckOptions = {},
): Promise<void> {
  const { informers = [] } = options
  const client = of instanceof Client ? of : inProcessClient(of)
  const snapshot = await takeSnapshot(client)
  const violations = checksOf(options).flatMap(({ name, violations }) =>
    [...violations(snapshot)].map((each) => `${name}: ${each}`),
  )
  for (const started of informers.flatMap((each) => each.started()))
    for (const stale of await staleIn(client, started)) violations.push(`caches are the truth: ${stale}`)
  if (violations.length > 0) throw new WorldCheckError(violations)
}

function checksOf({
  invariants: checks = invariants,
  controllers: loops,
  except = [],
}: WorldCheckOptions): readonly Invariant[] {
  for (const name of except)
    if (!checks.some((check) => check.name === name)) throw new Error(`who checks that ${name}?`)
  const isKept = ({ controller: keptBy }: Invariant) => keptBy === undefined || !loops || loops.includes(keptBy)
  return checks.filter((check) => isKept(check) && !except.includes(check.name))
}

/** The same for a snapshot that has yet to come to rest: on a virtual clock at once, on a real one soon. */
export async function checkWorldWhenSettled(
  snapshot: Pick<TestApiServer, 'api' | 'environment'>,
  options: WorldCheckOptions = {},
): Promise<void> {
  const { clock } = snapshot.environment
  if (clock instanceof VirtualClock) {
    await clock.settle()
    return checkWorld(snapshot, options)
  }
  const deadline = clock.monotonic() + restlessness
  for (;;) {
    try {
      return await checkWorld(snapshot, options)
    } catch (error) {
      if (!(error instanceof WorldCheckError) || clock.monotonic() > deadline) throw error
      await sleep(clock, 50)
    }
  }
}

/** In a second or two everything that loops can do without waiting for something is done, and a busy machine is given ten times as long. */
const restlessness = 20_000

/** An informer of this process is there at once, one over the network within these milliseconds. */
const patience = [0, 0, 10, 100, 1000]

async function staleIn(client: Client, { location, selection, informer }: StartedInformer): Promise<readonly string[]> {
  const { namespace = '', metadataOnly = false, ...select } = selection
  const part = (object: AnyObject) => (metadataOnly ? object.metadata : object)
  let stale: readonly string[] = []
  for (const delay of patience) {
    const { items } = await client.resource(location).in(namespace).list(select)
    stale = differences(informer, items, part)
    if (stale.length === 0) break
    await realTime(delay)
  }
  return stale.map((each) => `${location.kind} ${each}`)
}

function differences(
  informer: Informer,
  truth: readonly AnyObject[],
  part: (object: AnyObject) => object,
): readonly string[] {
  const rest = new Map([...informer.list()].map((object) => [keyOf(object), object]))
  const wrong: string[] = []
  for (const object of truth) {
    const held = informer.get(keyOf(object))
    rest.delete(keyOf(object))
    if (!held) wrong.push(`${keyOf(object)} is missing`)
    else if (!isDeepStrictEqual(part(held), part(object))) wrong.push(`${keyOf(object)} is not as it is`)
  }
  return [...wrong, ...[...rest.keys()].map((key) => `${key} does not exist any more`)]
}
