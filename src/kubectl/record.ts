import type { JsonObject } from '../schema/declaration.js'
import { changeCause } from './changing.js'
import type { Call } from './command.js'
import type { FlagTable } from './flags/flag.js'
import { metadataOf, withMetadata } from './resources/info.js'

/** With the line that was typed, as `--record` wants it. */
export function recorded<Table extends FlagTable>({ line }: Pick<Call<Table>, 'line'>, object: JsonObject): JsonObject {
  const { annotations } = metadataOf(object)
  return withMetadata(object, { annotations: { ...annotations, [changeCause]: line } })
}
