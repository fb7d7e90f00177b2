import { join } from 'node:path'
import { fullImageName, isImageName } from '../../../base/image-name.js'
import { openArchive } from '../archive/archive-files.js'
import { readImages } from '../archive/archive-images.js'
import { type ArchivedImage, imagesIn } from '../archive/archived-image.js'
import { unusedArguments } from '../dockerfile/build-arguments.js'
import { copyRequest } from '../dockerfile/copy-request.js'
import { DockerfileError } from '../dockerfile/dockerfile-error.js'
import type { BuildVariables } from '../dockerfile/expansion.js'
import { type Instruction, parseInstruction } from '../dockerfile/instruction.js'
import { type BuildPlan, copySource, planBuild, type StageBase } from '../dockerfile/plan.js'
import { type RunRequest, runRequest } from '../dockerfile/run-request.js'
import { applySetting } from '../dockerfile/settings.js'
import { type Dockerfile, type DockerfileStage, knownInstruction, parseDockerfile } from '../dockerfile/stages.js'
import { type FinishedLayer, type Image, thisArchitecture } from '../image.js'
import { type BuildContext, buildContext } from './context-tree.js'
import { copyLayerEntries } from './copy-instruction.js'
import type { FileTree } from './file-tree.js'
import { StageBuild } from './stage-build.js'

export interface BuildOptions {
  /** The text of the Dockerfile. */
  readonly dockerfile: string
  /** Its path, beside which a `.dockerignore` may be. Undefined for a Dockerfile that is not a file. */
  readonly dockerfilePath?: string
  /** The build context: the folder that COPY reads from. */
  readonly folder: string
  readonly names: readonly string[]
  /** The stage to build; the last one if undefined. */
  readonly target?: string | undefined
  /** Values of ARGs. */
  readonly arguments?: BuildVariables
  /** Folder for copies of archives and layers. The caller removes it after the image is packed. */
  readonly temporary: string
  /** Exports an image of the runtime to an archive, and returns its path. Rejects if there is no such image. */
  readonly exportImage?: (name: string) => Promise<string>
  /** Runs a command in a container of `image`, and returns its changes as a layer. */
  readonly run?: (image: Image, request: RunRequest) => Promise<FinishedLayer>
  /** Called with each step, and with notes for the user. */
  readonly report?: (text: string) => void
}

/** Docker's defaults, so that `ENV PATH=/app:$PATH` means the same. */
const scratchConfig = {
  Env: ['PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'],
  WorkingDir: '/',
}

/** Builds an image from a Dockerfile. */
export async function buildImage(options: BuildOptions): Promise<Image> {
  const dockerfile = parseDockerfile(options.dockerfile)
  const given = options.arguments ?? new Map()
  const plan = planBuild(dockerfile, { target: options.target, given, architecture: thisArchitecture() })
  for (const name of unusedArguments(dockerfile, given))
    options.report?.(`note: --build-arg ${name} has no effect; the Dockerfile has no ARG ${name}`)
  const { settings, layers } = await new Build(options, dockerfile, plan).run()
  return imageOf(options.names.map(fullImageName), settings.config, layers)
}

function imageOf(names: readonly string[], config: Image['config'], layers: Image['layers']): Image {
  return { names, architecture: thisArchitecture(), config, layers }
}

class Build {
  readonly #options: BuildOptions
  readonly #dockerfile: Dockerfile
  readonly #plan: BuildPlan
  readonly #stages = new Map<number, StageBuild>()
  readonly #images = new Map<string, Promise<StageBuild>>()
  #context: Promise<BuildContext> | undefined

  constructor(options: BuildOptions, dockerfile: Dockerfile, plan: BuildPlan) {
    this.#options = options
    this.#dockerfile = dockerfile
    this.#plan = plan
  }

  /** Builds all stages of the plan. Returns the last one. */
  async run(): Promise<StageBuild> {
    let last: StageBuild | undefined
    for (const { stage, base } of this.#plan.stages) {
      this.#report(stage.from)
      last = (await atLine(stage.from, () => this.#open(base))).child()
      const triggers = takeTriggers(last, stage)
      for (const instruction of [...triggers, ...stage.instructions]) await this.#step(last, stage, instruction)
      this.#stages.set(stage.index, last)
    }
    return last!
  }

  #step(build: StageBuild, stage: DockerfileStage, instruction: Instruction): Promise<void> {
    this.#report(instruction)
    return atLine(instruction, () => this.#apply(build, stage, instruction))
  }

  async #apply(build: StageBuild, stage: DockerfileStage, instruction: Instruction): Promise<void> {
    const { keyword, line } = instruction
    if (keyword === 'RUN') return this.#runCommand(build, instruction)
    if (keyword === 'COPY' || keyword === 'ADD') return this.#copy(build, stage, instruction)
    build.settings = applySetting(build.settings, instruction, this.#plan.scope) ?? build.settings
    if (keyword === 'WORKDIR') await build.addDirectory(build.settings.config.WorkingDir ?? '/')
    if (keyword === 'HEALTHCHECK')
      this.#options.report?.(`note: line ${line}: HEALTHCHECK has no effect in Kubernetes; give the container a probe`)
  }

  async #copy(build: StageBuild, stage: DockerfileStage, instruction: Instruction): Promise<void> {
    const request = copyRequest(instruction, build.settings)
    const { temporary } = this.#options
    const context = () => this.#readContext()
    const target = await build.tree()
    const from = await this.#treeOf(request.from, stage)
    await build.addEntries(await copyLayerEntries(request, { from, context, target, temporary }))
  }

  async #treeOf(from: string | undefined, stage: DockerfileStage): Promise<FileTree | undefined> {
    if (from === undefined) return undefined
    return (await this.#open(copySource(this.#dockerfile.stages, stage, from))).tree()
  }

  async #runCommand(build: StageBuild, instruction: Instruction): Promise<void> {
    const request = runRequest(instruction, build.settings, this.#plan.scope)
    const { run } = this.#options
    if (!run) throw new Error('there is no container runtime to run it')
    const image = imageOf([], build.settings.config, await build.finishLayers())
    await build.addLayer(await run(image, request))
  }

  #open(base: StageBase): Promise<StageBuild> {
    if (base.kind === 'scratch') return Promise.resolve(this.#newStage(scratchConfig, []))
    if (base.kind === 'stage') return Promise.resolve(this.#stages.get(base.index)!)
    const opened = this.#images.get(base.name) ?? this.#openImage(base.name)
    this.#images.set(base.name, opened)
    return opened
  }

  async #openImage(name: string): Promise<StageBuild> {
    const [image, ...others] = await this.#imagesFor(name)
    if (!image || others.length > 0) throw new Error(`${name} must hold exactly one image`)
    return this.#newStage(image.config, image.layers)
  }

  /** A name that ends in `.tar` is an untrusted archive in the build context. */
  async #imagesFor(name: string): Promise<ArchivedImage[]> {
    const { folder, temporary, exportImage } = this.#options
    if (name.endsWith('.tar') && !name.split('/').includes('..')) return readImages(join(folder, name), { temporary })
    if (!isImageName(name)) throw new Error(`${name} is not the name of an image`)
    if (!exportImage) throw new Error(`there is no container runtime to get the image ${name} from`)
    return imagesIn(await openArchive(await exportImage(fullImageName(name)), { temporary }))
  }

  #newStage(config: Image['config'], layers: Image['layers']): StageBuild {
    const settings = { config, arguments: new Map<string, string>(), hasCommand: false }
    return new StageBuild(settings, layers, this.#options.temporary)
  }

  #readContext(): Promise<BuildContext> {
    const { folder, dockerfilePath = join(folder, 'Dockerfile') } = this.#options
    this.#context ??= buildContext(folder, dockerfilePath)
    return this.#context
  }

  #report({ line, keyword, text }: Instruction): void {
    this.#options.report?.(`line ${line}: ${keyword} ${text}`.trimEnd())
  }
}

/** Adds the line of the instruction to errors. */
async function atLine<T>({ line, keyword }: Instruction, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof DockerfileError || !(error instanceof Error)) throw error
    throw new DockerfileError(line, `${keyword}: ${error.message}`)
  }
}

/** Takes the ONBUILD instructions of the base. They apply once, to the stage that starts from it. */
function takeTriggers(build: StageBuild, { from }: DockerfileStage): Instruction[] {
  const { OnBuild = [], ...config } = build.settings.config
  build.settings = { ...build.settings, config }
  const { line, escapeCharacter } = from
  return OnBuild.map((text) => knownInstruction(parseInstruction({ text, line, heredocs: [] }, escapeCharacter)))
}
