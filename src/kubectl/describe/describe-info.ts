import type { JsonObject } from '../../schema/declaration.js'
import type { Factory } from '../factory/factory.js'
import { infoPath, type ResourceObject } from '../resources/info.js'
import { describers } from './describers.js'
import { Describing } from './describing.js'
import { Page } from './page.js'

export interface DescribeOptions {
  readonly showEvents: boolean
  readonly chunkSize: number
}

/** The description of one object. */
export async function describeInfo(factory: Factory, info: ResourceObject, options: DescribeOptions): Promise<string> {
  const rest = await factory.rest()
  const page = new Page()
  const { resource, namespace } = info
  const now = factory.surroundings.clock.now()
  const on = new Describing({ page, rest, now, namespace, ...options })
  const known = describers[resource.group === '' ? resource.kind : `${resource.kind}.${resource.group}`]
  const object =
    known && known.root !== resource.root
      ? await rest.json<JsonObject>({ path: infoPath({ ...info, resource: { ...resource, root: known.root } }) })
      : info.object
  const describe = known ? await known.load() : (await import('./generic.js')).describeGeneric
  await describe(object as never, on)
  return page.toString()
}
