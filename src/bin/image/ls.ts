import { choice } from '../../base/flags/flag-types.js'
import { UsageError } from '../../base/flags/flags.js'
import { withRuntime } from './image-runtime.js'
import { imageJson, imageTable } from './image-table.js'
import { defineImageCommand, imageFlags } from './verb.js'

export const lsCommand = defineImageCommand({
  name: 'ls',
  about: `List the images of the container runtime.

Usage:
  proa image ls [flags]
`,
  flags: {
    output: { ...choice('The output format.', ['table', 'json'], { initial: 'table' }), short: 'o' },
    ...imageFlags,
  },
  async run(flags, operands) {
    if (operands.length > 0) throw new UsageError(`unexpected argument "${operands[0]}"`)
    const { images } = await withRuntime(flags, ({ client }) => client.listImages({}))
    return flags.output === 'json' ? imageJson(images) : imageTable(images)
  },
})
