import { setTimeout as realTime } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { Client } from '../client/client.js'
import { type Informer, keyOf } from '../client/informers/informer.js'
import type { Informers, StartedInformer } from '../client/informers/informers.js'
import type { AnyObject } from '../client/resource-client.js'
import type { TestApiServer } from './api-server.js'
import { inProcessClient } from './clients.js'
import { type WorldCheck, worldChecks } from './world-checks.js'
import { takeSnapshot } from './world-snapshot.js'

export interface WorldCheckOptions {
  /** All of `worldChecks` unless told. */
  readonly checks?: readonly WorldCheck[]
  /** Those that are to hold what the server holds. */
  readonly informers?: readonly Informers[]
}

/** What is wrong with the world, all of it. */
export class WorldError extends Error {
  override readonly name = 'WorldError'
  readonly violations: readonly string[]

  constructor(violations: readonly string[]) {
    super(`the world is not as it should be:\n${violations.map((each) => `- ${each}`).join('\n')}`)
    this.violations = violations
  }
}

/** Throws a `WorldError` unless all is well. For a cluster that has come to rest: at the end of every test that has one. */
export async function checkWorld(
  of: Client | Pick<TestApiServer, 'api'>,
  options: WorldCheckOptions = {},
): Promise<void> {
  const { checks = worldChecks, informers = [] } = options
  const client = of instanceof Client ? of : inProcessClient(of)
  const world = await takeSnapshot(client)
  const violations = checks.flatMap(({ name, violations }) => [...violations(world)].map((each) => `${name}: ${each}`))
  for (const started of informers.flatMap((each) => each.started()))
    for (const stale of await staleIn(client, started)) violations.push(`caches are the truth: ${stale}`)
  if (violations.length > 0) throw new WorldError(violations)
}

/** An informer of this process is there at once, one over the network within these milliseconds. */
const patience = [0, 0, 10, 100, 1000]

async function staleIn(client: Client, { place, selection, informer }: StartedInformer): Promise<readonly string[]> {
  const { namespace = '', metadataOnly = false, ...select } = selection
  const part = (object: AnyObject) => (metadataOnly ? object.metadata : object)
  let stale: readonly string[] = []
  for (const delay of patience) {
    const { items } = await client.resource(place).in(namespace).list(select)
    stale = differences(informer, items, part)
    if (stale.length === 0) break
    await realTime(delay)
  }
  return stale.map((each) => `${place.kind} ${each}`)
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
