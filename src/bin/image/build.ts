import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { text as readText } from 'node:stream/consumers'
import { environment } from '../../base/environment.js'
import { boolean, optionalText, repeated } from '../../base/flags/flag-types.js'
import { type FlagValues, UsageError } from '../../base/flags/flags.js'
import { BuildContainers } from '../../cri/containerd/build-containers.js'
import { exportImage } from '../../cri/containerd/image-transfer.js'
import type { CriError } from '../../cri/cri-error.js'
import { type BuildOptions, buildImage } from '../../cri/images/build/image-build.js'
import { type PackedImage, packImage, writeImageArchive } from '../../cri/images/image-archive.js'
import { withHints } from '../cluster/hints.js'
import { fullNames, outputFlag, tagFlag } from './image-flags.js'
import { addImages, type ImageRuntime, imageLine, NoRuntimeError, openRuntime } from './image-runtime.js'
import { type Scratch, withScratch } from './scratch.js'
import { defineImageCommand, imageFlags } from './verb.js'

const buildFlags = {
  tag: tagFlag('The name of the image.'),
  file: {
    ...optionalText('The Dockerfile; - for standard input. By default DIR/Dockerfile.', { placeholder: 'FILE' }),
    short: 'f',
  },
  'build-arg': repeated('The value of an ARG; without a value, that of the environment variable.', {
    placeholder: 'NAME[=VALUE]',
  }),
  target: optionalText('The stage to build, by name or number. By default the last one.', { placeholder: 'STAGE' }),
  pull: boolean('Let the runtime pull images that the Dockerfile needs and the runtime does not have.'),
  output: outputFlag(),
  ...imageFlags,
}

type BuildFlags = FlagValues<typeof buildFlags>

export const buildCommand = defineImageCommand({
  name: 'build',
  about: `Build an image from a Dockerfile and the files beside it, and add it to the container runtime. RUN runs in a container of that
runtime, with the network of this machine; nothing is cached between builds.

Usage:
  proa image build DIR -t NAME [flags]
`,
  flags: buildFlags,
  async run(flags, operands) {
    const folder = folderOf(operands)
    const names = fullNames(flags.tag)
    if (names.length === 0) throw new UsageError('the image needs a name: -t NAME')
    const dockerfile = await readDockerfile(folder, flags.file)
    return withScratch(async (scratch) => {
      const runtime = new LazyRuntime(flags, scratch)
      if (flags.output === undefined) await runtime.get() // fail before the build if there is no runtime for the image
      const image = await buildImage({
        ...dockerfile,
        ...runtime.callbacks(),
        folder,
        names,
        target: flags.target,
        arguments: new Map(flags['build-arg'].flatMap(argumentOf)),
        temporary: scratch.folder,
        report: (line) => process.stderr.write(`${line}\n`),
      })
      return deliver(await packImage(image), flags.output, runtime)
    })
  },
})

async function deliver(image: PackedImage, output: string | undefined, runtime: LazyRuntime): Promise<string> {
  if (output === undefined) await addImages(await runtime.get(), [image])
  else await writeImageArchive(output, [image])
  const done = output === undefined ? 'built' : `wrote to ${output}:`
  return image.names.map((name) => `${done} ${name}\n`).join('')
}

function folderOf([folder, ...others]: readonly string[]): string {
  if (folder === undefined) throw new UsageError('name the folder with the files: proa image build DIR -t NAME')
  if (others.length > 0) throw new UsageError(`unexpected argument "${others[0]}": build takes one folder`)
  if (!statSync(folder, { throwIfNoEntry: false })?.isDirectory()) throw new Error(`there is no folder ${folder}`)
  return resolve(folder)
}

async function readDockerfile(
  folder: string,
  file: string | undefined,
): Promise<Pick<BuildOptions, 'dockerfile' | 'dockerfilePath'>> {
  if (file === '-') return { dockerfile: await readText(process.stdin) }
  const path = file ?? join(folder, 'Dockerfile')
  if (!existsSync(path))
    throw new Error(
      file === undefined ? `there is no Dockerfile in ${folder}; name it with -f FILE` : `there is no file ${file}`,
    )
  return { dockerfile: readFileSync(path, 'utf8'), dockerfilePath: path }
}

function argumentOf(text: string): [name: string, value: string][] {
  const equals = text.indexOf('=')
  if (equals === 0 || text === '') throw new UsageError(`--build-arg takes NAME=VALUE, not ${text}`)
  if (equals > 0) return [[text.slice(0, equals), text.slice(equals + 1)]]
  const value = process.env[text]
  return value === undefined ? [] : [[text, value]]
}

/** Opens the runtime when a build first needs it: many builds into an archive need none. */
class LazyRuntime {
  readonly #flags: BuildFlags
  readonly #scratch: Scratch
  #runtime: Promise<ImageRuntime> | undefined
  #containers: Promise<BuildContainers> | undefined
  #exports = 0

  constructor(flags: BuildFlags, scratch: Scratch) {
    this.#flags = flags
    this.#scratch = scratch
  }

  get(): Promise<ImageRuntime> {
    this.#runtime ??= openRuntime(this.#flags).then((runtime) => {
      this.#scratch.onEnd(async () => runtime.client.close())
      return runtime
    })
    return this.#runtime
  }

  callbacks(): Required<Pick<BuildOptions, 'exportImage' | 'run'>> {
    return {
      exportImage: async (name) => this.#export(await this.#neededFor(`the image ${shortName(name)}`), name),
      run: async (image, request) => {
        this.#containers ??= this.#openContainers(await this.#neededFor('a command in a container'))
        return (await this.#containers).run(image, request)
      },
    }
  }

  async #neededFor(what: string): Promise<ImageRuntime> {
    return this.get().catch((error: unknown) => {
      throw error instanceof NoRuntimeError
        ? new NoRuntimeError(`${what} needs a container runtime, and ${error.message}`)
        : error
    })
  }

  async #export(runtime: ImageRuntime, name: string): Promise<string> {
    const image = { image: name }
    const present = await runtime.client.imageStatus({ image })
    if (!present.image && !this.#flags.pull) throw new Error(missingImage(name, this.#flags))
    if (!present.image) await pull(runtime, name)
    const archive = join(this.#scratch.folder, `base-${this.#exports++}.tar`)
    // containerd stores an image with a digest under its name without the tag.
    await exportImage(runtime, name.replace(/:[^:/@]+@/, '@'), archive)
    return archive
  }

  async #openContainers({ ctr, socket, runcState }: ImageRuntime): Promise<BuildContainers> {
    const { folder: temporary } = this.#scratch
    const containers = await BuildContainers.open({
      ...{ ctr, socket, runcState, temporary },
      output: process.stderr,
      environment: environment(),
    })
    this.#scratch.onEnd(() => containers.close())
    return containers
  }
}

async function pull({ client }: ImageRuntime, name: string): Promise<void> {
  process.stderr.write(`pulling ${name}\n`)
  await client.pullImage({ image: { image: name } }).catch((error: CriError) => {
    throw new Error(`the container runtime cannot pull the image: ${error.description}`)
  })
}

function missingImage(name: string, flags: BuildFlags): string {
  const short = shortName(name)
  return withHints(
    `the container runtime does not have the image ${short}; add it, or let the runtime pull it with --pull`,
    { purpose: 'add it', command: `docker save ${short} | ${imageLine(flags, 'load -')}` },
  )
}

/** Returns the name of an image as users write it. */
function shortName(name: string): string {
  return name.replace(/^docker\.io\/(library\/)?/, '')
}
