import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { systemClock } from '../base/clock.js'
import { environment } from '../base/environment.js'
import { UsageError } from '../base/flags/flags.js'
import { connectCri } from '../cri/client.js'
import { placesIn } from '../cri/containerd/configuration.js'
import { exportImage, importImages, type TransferOptions, untilVisible } from '../cri/containerd/image-transfer.js'
import { findPrograms } from '../cri/containerd/programs.js'
import type { CriError } from '../cri/cri-error.js'
import { buildImage } from '../cri/images/build-image.js'
import { helloImages } from '../cri/images/hello-image.js'
import type { Image } from '../cri/images/image.js'
import { packImage, writeImageArchive } from '../cri/images/image-archive.js'
import { isImageName } from '../cri/images/image-name.js'
import { explain } from './explain.js'
import { defaultDataDirectory } from './surroundings.js'

const usage = `Bring images to the container runtime, without a registry and without a network.

Usage:
  proa image load FILE               the images of an archive, as docker save and others write it
  proa image build DIR -t NAME       an image from DIR/Dockerfile: files and settings, no RUN
  proa image hello                   proa/hello:1 and :2, a small web server made of the Node that runs this

Flags:
  -t, --tag NAME                     the name of what is built; may be given more than once
  --build-arg NAME=VALUE             the value of an ARG
  -o, --output FILE                  write the image to an archive, not to the runtime
  --container-runtime-endpoint URL   where containerd listens; Proa's own, unless told, or else the machine's
  --data-dir DIR                     where Proa's own is
`

const options = {
  tag: { type: 'string', short: 't', multiple: true },
  'build-arg': { type: 'string', multiple: true },
  output: { type: 'string', short: 'o' },
  'container-runtime-endpoint': { type: 'string' },
  'data-dir': { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

type Values = ReturnType<typeof parse>['values']

/** The command `proa image`, without its own name; gives the exit code. */
export async function imageCommand(args: readonly string[]): Promise<number> {
  try {
    process.stdout.write(await run(args))
    return 0
  } catch (error) {
    process.stderr.write(`proa image: ${explain(error)}\n`)
    return error instanceof UsageError ? 2 : 1
  }
}

async function run(args: readonly string[]): Promise<string> {
  const { values, positionals } = parse(args)
  const [verb, operand, ...rest] = positionals
  if (values.help || verb === undefined) return usage
  if (rest.length > 0) throw new UsageError(`${rest[0]} is one too many`)
  if (verb === 'hello' && operand === undefined)
    return inTemporaryFolder(async (temporary) => bring(await helloImages(), values, temporary))
  if (verb !== 'load' && verb !== 'build')
    throw new UsageError(`there is no "${verb}"; proa image --help lists what there is`)
  if (operand === undefined) throw new UsageError(`${verb} takes a ${verb === 'load' ? 'FILE' : 'DIR'}`)
  if (verb === 'load') return loaded(await load(operand, runtimeOf(values)))
  return inTemporaryFolder(async (temporary) => bring([await build(operand, values, temporary)], values, temporary))
}

/** The image's base stays in the temporary folder, and is read from there when the image is packed. */
async function build(folder: string, values: Values, temporary: string): Promise<Image> {
  const names = values.tag ?? []
  if (names.length === 0) throw new UsageError('what is built needs a name: -t NAME')
  for (const name of names) if (!isImageName(name)) throw new UsageError(`${name} cannot be the name of an image`)
  const given = (values['build-arg'] ?? []).map((text) => text.split(/=(.*)/s).slice(0, 2))
  const findBase = async (name: string) => {
    const archive = join(temporary, 'base.tar')
    await exportImage(runtimeOf(values), name, archive)
    return archive
  }
  return buildImage({ folder, names, findBase, arguments: Object.fromEntries(given) })
}

async function bring(images: readonly Image[], values: Values, temporary: string): Promise<string> {
  const packed = await Promise.all(images.map(packImage))
  const { output } = values
  if (output !== undefined) {
    await writeImageArchive(output, packed)
    return `written to ${output}: ${images.flatMap(({ names }) => names).join(', ')}\n`
  }
  const archive = join(temporary, 'image.tar')
  await writeImageArchive(archive, packed)
  return loaded(await load(archive, runtimeOf(values)))
}

async function load(archive: string, runtime: TransferOptions): Promise<string[]> {
  const client = connectCri({ endpoint: runtime.socket, environment: environment() })
  try {
    await client.version({}).catch((error: CriError) => {
      throw new Error(`containerd does not answer on ${runtime.socket}: ${error.description}`)
    })
    const names = await importImages(runtime, archive)
    await untilVisible(client, names, systemClock)
    return names
  } finally {
    client.close()
  }
}

function loaded(names: readonly string[]): string {
  return names.map((name) => `loaded ${name}\n`).join('')
}

const machinesSocket = '/run/containerd/containerd.sock'

function runtimeOf(values: Values): TransferOptions {
  const programs = findPrograms()
  if ('missing' in programs) throw new Error(`there is no ${programs.missing.join(', no ')} on this machine`)
  const own = placesIn(join(values['data-dir'] ?? defaultDataDirectory(), 'containerd')).socket
  const endpoint = values['container-runtime-endpoint'] ?? [own, machinesSocket].find((path) => existsSync(path))
  if (endpoint === undefined) throw new Error('no containerd runs here; say where it is: --container-runtime-endpoint')
  return { ctr: programs.found.ctr, socket: endpoint.replace(/^unix:(\/\/)?/, '') }
}

async function inTemporaryFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'proa-image-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
