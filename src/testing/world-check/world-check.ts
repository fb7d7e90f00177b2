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
  /** Default: all. */
  readonly invariants?: readonly Invariant[]
  /** Informers whose caches must equal the store. */
  readonly informers?: readonly Informers[]
  /** Names of the running controllers. Invariants that other controllers keep are not checked. Default: all controllers run. */
  readonly controllers?: readonly string[]
  /** Names of invariants that a test breaks on purpose. */
  readonly except?: readonly string[]
}

/** Lists every violated invariant. */
export class WorldCheckError extends Error {
  override readonly name = 'WorldError'
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    super(`world check failed:\n${violations.map((each) => `- ${each}`).join('\n')}`)
    this.violations = violations
  }
}

/** Throws a `WorldCheckError` if an invariant is violated. For a settled cluster, at the end of every test that has one. */
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
    if (!checks.some((check) => check.name === name)) throw new Error(`there is no invariant named ${name}`)
  const isActive = ({ controller: keptBy }: Invariant) => keptBy === undefined || !loops || loops.includes(keptBy)
  return checks.filter((check) => isActive(check) && !except.includes(check.name))
}

/** Runs `checkWorld` after the cluster has settled: at once on a virtual clock, with retries on a real one. */
export async function checkWorldWhenSettled(
  server: Pick<TestApiServer, 'api' | 'environment'>,
  options: WorldCheckOptions = {},
): Promise<void> {
  const { clock } = server.environment
  if (clock instanceof VirtualClock) {
    await clock.settle()
    return checkWorld(server, options)
  }
  const deadline = clock.monotonic() + settleTimeout
  for (;;) {
    try {
      return await checkWorld(server, options)
    } catch (error) {
      if (!(error instanceof WorldCheckError) || clock.monotonic() > deadline) throw error
      await sleep(clock, 50)
    }
  }
}

/** Controllers settle within two seconds; a busy host gets ten times as long. */
const settleTimeout = 20_000

/** Delays between comparisons: an in-process informer is current at once, an informer over the network soon. */
const retryDelays = [0, 0, 10, 100, 1000]

async function staleIn(client: Client, { location, selection, informer }: StartedInformer): Promise<readonly string[]> {
  const { namespace = '', metadataOnly = false, ...select } = selection
  const part = (object: AnyObject) => (metadataOnly ? object.metadata : object)
  let stale: readonly string[] = []
  for (const delay of retryDelays) {
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
