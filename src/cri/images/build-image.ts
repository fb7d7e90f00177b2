import { readFile } from 'node:fs/promises'
import { isAbsolute, join } from 'node:path'
import type { TarEntry } from '../../base/tar/writer.js'
import { type BaseImage, readBaseImage } from './base-image.js'
import { copiedFiles } from './copied-files.js'
import {
  assignmentsOf,
  commandOf,
  DockerfileError,
  type Instruction,
  listOf,
  parseDockerfile,
  substituted,
} from './dockerfile.js'
import { type FinishedLayer, type Image, type ImageConfig, thisArchitecture } from './image.js'
import { fullImageName } from './image-name.js'

export interface BuildOptions {
  /** Where the Dockerfile and what it copies are. */
  readonly folder: string
  readonly names: readonly string[]
  /** Gives the archive of an image that the Dockerfile begins with; without it only `scratch` and archives can be. */
  readonly findBase?: (name: string) => Promise<string>
  /** Values of `ARG`s. */
  readonly arguments?: Readonly<Record<string, string>>
}

interface Build {
  readonly options: BuildOptions
  config: Mutable<ImageConfig>
  layers: (readonly TarEntry[] | FinishedLayer)[]
  /** Only those have a meaning for later lines that `ARG` or `ENV` named. */
  values: Record<string, string>
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] }
type Step = (build: Build, instruction: Instruction) => void | Promise<void>

/**
 * Makes an image from a Dockerfile that only puts files together: all instructions but `RUN`, which would take a container, and
 * those that go with it. One layer for each `COPY`.
 */
export async function buildImage(options: BuildOptions): Promise<Image> {
  const instructions = parseDockerfile(await readFile(join(options.folder, 'Dockerfile'), 'utf8'))
  const build: Build = { options, config: {}, layers: [], values: {} }
  let begun = false
  for (const instruction of instructions) {
    const { keyword, line } = instruction
    const step = steps[keyword]
    if (!step) throw new DockerfileError(line, `there is no instruction ${keyword}`)
    if (keyword === 'FROM' && begun) throw new DockerfileError(line, 'builds in stages are not possible here')
    if (keyword === 'FROM') begun = true
    else if (!begun && keyword !== 'ARG') throw new DockerfileError(line, `${keyword} comes before FROM`)
    await step(build, { ...instruction, text: textFor(build, instruction) })
  }
  if (!begun) throw new DockerfileError(1, 'there is no FROM')
  const names = options.names.map(fullImageName)
  return { names, architecture: thisArchitecture(), config: build.config, layers: build.layers }
}

/** A command is for the container's shell, which has values of its own. */
function textFor({ values }: Build, { keyword, text }: Instruction): string {
  return keyword === 'CMD' || keyword === 'ENTRYPOINT' ? text : substituted(text, values)
}

const refused =
  (why: string): Step =>
  (_, { keyword, line }) => {
    throw new DockerfileError(line, `${keyword} ${why}`)
  }

const steps: Readonly<Record<string, Step>> = {
  async FROM(build, instruction) {
    const { config, layers } = await baseOf(build.options, instruction)
    build.config = { ...config }
    build.layers = [...layers]
    for (const variable of config.Env ?? []) {
      const equals = variable.indexOf('=')
      build.values[variable.slice(0, equals)] = variable.slice(equals + 1)
    }
  },
  ARG(build, { text }) {
    const equals = text.indexOf('=')
    const name = equals < 0 ? text : text.slice(0, equals)
    const standard = equals < 0 ? '' : text.slice(equals + 1).replace(/^(["'])(.*)\1$/, '$2')
    build.values[name] = build.options.arguments?.[name] ?? standard
  },
  ENV(build, instruction) {
    for (const [name, value] of assignmentsOf(instruction)) {
      build.values[name] = value
      const others = (build.config.Env ?? []).filter((variable) => !variable.startsWith(`${name}=`))
      build.config.Env = [...others, `${name}=${value}`]
    }
  },
  COPY: copyFiles,
  ADD(build, instruction) {
    if (/:\/\/|\.(tar|tgz|gz|xz|bz2|zst)\b/.test(instruction.text))
      throw new DockerfileError(instruction.line, 'ADD neither fetches nor unpacks here; COPY what is needed')
    return copyFiles(build, instruction)
  },
  // A new entry point makes what a base has for it meaningless.
  ENTRYPOINT(build, instruction) {
    build.config.Entrypoint = commandOf(instruction)
    delete build.config.Cmd
  },
  CMD(build, instruction) {
    build.config.Cmd = commandOf(instruction)
  },
  WORKDIR(build, { text }) {
    build.config.WorkingDir = inWorkingFolder(build, text)
  },
  USER(build, { text }) {
    build.config.User = text
  },
  EXPOSE(build, { text }) {
    const ports = text.split(/\s+/).map((port) => [port.includes('/') ? port : `${port}/tcp`, {}])
    build.config.ExposedPorts = { ...build.config.ExposedPorts, ...Object.fromEntries(ports) }
  },
  LABEL(build, instruction) {
    build.config.Labels = { ...build.config.Labels, ...Object.fromEntries(assignmentsOf(instruction)) }
  },
  VOLUME(build, { text }) {
    const volumes = (listOf(text) ?? text.split(/\s+/)).map((path) => [path, {}])
    build.config.Volumes = { ...build.config.Volumes, ...Object.fromEntries(volumes) }
  },
  STOPSIGNAL(build, { text }) {
    build.config.StopSignal = text
  },
  MAINTAINER(build, { text }) {
    build.config.Labels = { ...build.config.Labels, maintainer: text }
  },
  HEALTHCHECK: () => {}, // Kubernetes has probes, and takes no notice
  RUN: refused('takes a running container; build the image elsewhere and bring it in with "proa image load"'),
  SHELL: refused('has no meaning where nothing is run'),
  ONBUILD: refused('is not possible here'),
}

async function baseOf({ folder, findBase }: BuildOptions, { text, line }: Instruction): Promise<BaseImage> {
  const [name = '', as] = text.split(/\s+/)
  if (as && as.toUpperCase() !== 'AS') throw new DockerfileError(line, `this is no image: ${text}`)
  if (name === 'scratch') return { config: {}, layers: [] }
  if (name.endsWith('.tar')) return readBaseImage(join(folder, name))
  if (!findBase) throw new DockerfileError(line, `there is no runtime to ask for ${name}`)
  return readBaseImage(await findBase(fullImageName(name)))
}

async function copyFiles(build: Build, { flags, text, line }: Instruction): Promise<void> {
  const { from, chown, chmod, ...others } = flags
  if (from !== undefined) throw new DockerfileError(line, 'there are no other stages to copy from')
  for (const flag of Object.keys(others)) throw new DockerfileError(line, `there is no --${flag}`)
  const words = listOf(text) ?? text.split(/\s+/)
  const target = words.at(-1)
  if (words.length < 2 || target === undefined) throw new DockerfileError(line, 'copy what, and where to?')
  const mode = chmod === undefined ? undefined : Number.parseInt(chmod, 8)
  const [uid, gid] = owner(chown, line)
  const { folder } = build.options
  build.layers.push(
    await copiedFiles({ folder, sources: words.slice(0, -1), target: inWorkingFolder(build, target), uid, gid, mode }),
  )
}

/** Names would have to be looked up in the image; numbers are what they are. */
function owner(chown: string | undefined, line: number): [uid: number, gid: number] {
  if (chown === undefined) return [0, 0]
  const match = /^(\d+)(?::(\d+))?$/.exec(chown)
  if (!match) throw new DockerfileError(line, `--chown takes numbers here, and not ${chown}`)
  return [Number(match[1]), Number(match[2] ?? match[1])]
}

/** Relative paths begin in the working folder; a slash at the end is kept, for it has a meaning. */
function inWorkingFolder({ config }: Build, path: string): string {
  return isAbsolute(path) ? path : join(config.WorkingDir ?? '/', path)
}
