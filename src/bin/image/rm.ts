import { systemClock } from '../../base/clock.js'
import { removeNames, untilInvisible } from '../../cri/containerd/image-transfer.js'
import { UsageError } from '../flags.js'
import { type ImageRemoval, planRemoval } from './image-removal.js'
import { type ImageRuntime, withRuntime } from './image-runtime.js'
import { imageFlags, imageVerb } from './verb.js'

export const rmCommand = imageVerb({
  name: 'rm',
  about: `Remove images from the container runtime, by name or id. An image that containers use stays.

Usage:
  proa image rm NAME… [flags]
`,
  flags: imageFlags,
  async run(flags, names) {
    if (names.length === 0) throw new UsageError('name the images to remove')
    return withRuntime(flags, (runtime) => removeAll(runtime, names))
  },
})

/** What cannot be removed keeps none of the others. */
async function removeAll(runtime: ImageRuntime, names: readonly string[]): Promise<string> {
  const problems: string[] = []
  let printed = ''
  for (const name of names)
    try {
      printed += (await remove(runtime, name)).map((each) => `removed ${each}\n`).join('')
    } catch (error) {
      problems.push((error as Error).message)
    }
  if (problems.length === 0) return printed
  process.stdout.write(printed)
  throw new Error(problems.join('\nproa image rm: '))
}

async function remove(runtime: ImageRuntime, name: string): Promise<readonly string[]> {
  const { client } = runtime
  const [{ images }, { containers }] = await Promise.all([client.listImages({}), client.listContainers({})])
  const removal = planRemoval(name, { images, containers })
  await act(runtime, removal)
  return removal.kind === 'name' ? [removal.name] : removal.names
}

async function act(runtime: ImageRuntime, removal: ImageRemoval): Promise<void> {
  if (removal.kind === 'image') return void (await runtime.client.removeImage({ image: { image: removal.id } }))
  await removeNames(runtime, [removal.name])
  await untilInvisible(runtime.client, [removal.name], systemClock)
}
