import { UsageError } from '../../base/flags/flags.js'
import { helloImages } from '../../cri/images/hello-image.js'
import { packImage, writeImageArchive } from '../../cri/images/image-archive.js'
import { outputFlag } from './image-flags.js'
import { addImages, withRuntime } from './image-runtime.js'
import { defineImageCommand, imageFlags } from './verb.js'

export const helloCommand = defineImageCommand({
  name: 'hello',
  about: `Add proa/hello:1 and proa/hello:2 to the container runtime: a small web server that runs on a copy of this Node.

Usage:
  proa image hello [flags]
`,
  flags: { output: outputFlag(), ...imageFlags },
  async run(flags, operands) {
    if (operands.length > 0) throw new UsageError(`unexpected argument "${operands[0]}"`)
    const packed = async () => Promise.all((await helloImages()).map(packImage))
    if (flags.output !== undefined) {
      const images = await packed()
      await writeImageArchive(flags.output, images)
      return images.flatMap(({ names }) => names.map((name) => `wrote ${name} to ${flags.output}\n`)).join('')
    }
    const names = await withRuntime(flags, async (runtime) => addImages(runtime, await packed()))
    return names.map((name) => `loaded ${name}\n`).join('')
  },
})
