import type { JsonObject } from '../../schema/declaration.js'
import { diffMergePatch } from '../../schema/patch/merge-patch.js'
import { diffStrategicPatch } from '../../schema/patch/strategic-diff.js'
import type { Factory } from '../factory/factory.js'
import { type DryRun, dryRunQuery } from '../printers/result.js'
import { objectPath, type ResourceObject } from '../resources/resource-object.js'
import { PatchTypes } from './patch-types.js'

interface ChangeOptions {
  readonly dryRun: DryRun
  readonly manager: string
  /** Send a JSON merge patch. Enough if only maps change. */
  readonly isPlain?: boolean
}

/**
 * Sends the difference between an object and its wanted state as a patch. Resolves with the new object. Sends nothing if there is no
 * difference.
 */
export async function sendChange(
  factory: Factory,
  info: ResourceObject,
  wanted: JsonObject,
  { dryRun, manager, isPlain = false }: ChangeOptions,
): Promise<{ readonly object: JsonObject; readonly isChanged: boolean }> {
  const rest = await factory.rest()
  const type = isPlain ? undefined : await new PatchTypes(rest).typeOf(info)
  const body = type ? diffStrategicPatch(type, info.object, wanted) : diffMergePatch(info.object, wanted)
  if (Object.keys(body).length === 0) return { object: info.object, isChanged: false }
  if (dryRun === 'client') return { object: wanted, isChanged: true }
  const contentType = type ? 'application/strategic-merge-patch+json' : 'application/merge-patch+json'
  const query = { ...dryRunQuery(dryRun), fieldManager: manager }
  const request = { method: 'PATCH', path: objectPath(info), query, body, contentType }
  return { object: await rest.json<JsonObject>(request), isChanged: true }
}
