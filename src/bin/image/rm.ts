import { systemClock } from '../../base/clock.js'
import { UsageError } from '../../base/flags/flags.js'
import { removeNames, waitUntilInvisible } from '../../cri/containerd/image-transfer.js'
import { withHints } from '../cluster/hints.js'
import { type ImageRemoval, MissingImageError, planRemoval } from './image-removal.js'
import { type ImageRuntime, imageLine, withRuntime } from './image-runtime.js'
import { defineImageCommand, type ImageFlags, imageFlags } from './verb.js'

export const rmCommand = defineImageCommand({
  name: 'rm',
  about: `Remove images from the container runtime, by name or id. An image that containers use stays.

Usage:
  proa image rm NAME… [flags]
`,
  flags: imageFlags,
  async run(flags, names) {
    if (names.length === 0) throw new UsageError('name the images to remove')
    const problems = await withRuntime(flags, (runtime) => removeAll(runtime, names))
    if (problems.length > 0) throw new Error(errorMessage(problems, flags))
    return ''
  },
})

/** Removes all images that it can remove. Returns the errors of the others. */
async function removeAll(runtime: ImageRuntime, names: readonly string[]): Promise<Error[]> {
  const problems: Error[] = []
  for (const name of names)
    try {
      for (const removed of await remove(runtime, name)) process.stdout.write(`removed ${removed}\n`)
    } catch (error) {
      problems.push(error as Error)
    }
  return problems
}

function errorMessage(problems: readonly Error[], flags: ImageFlags): string {
  const text = problems.map(({ message }) => message).join('\nproa image rm: ')
  const isMissing = problems.some((problem) => problem instanceof MissingImageError)
  return isMissing ? withHints(text, { purpose: 'list the images', command: imageLine(flags, 'ls') }) : text
}

async function remove(runtime: ImageRuntime, name: string): Promise<readonly string[]> {
  const { client } = runtime
  const [{ images }, { containers }] = await Promise.all([client.listImages({}), client.listContainers({})])
  const removal = planRemoval(name, { images, containers })
  await perform(runtime, removal)
  return removal.kind === 'name' ? [removal.name] : removal.names
}

async function perform(runtime: ImageRuntime, removal: ImageRemoval): Promise<void> {
  if (removal.kind === 'image') return void (await runtime.client.removeImage({ image: { image: removal.id } }))
  await removeNames(runtime, [removal.name])
  await waitUntilInvisible(runtime.client, [removal.name], systemClock)
}
