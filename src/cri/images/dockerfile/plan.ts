import type { Architecture } from '../elf.js'
import { type ArgumentScope, declareArguments, expandIn, platformArguments } from './build-arguments.js'
import { DockerfileError } from './dockerfile-error.js'
import type { BuildVariables } from './expansion.js'
import { flagValues } from './instruction.js'
import { type Dockerfile, type DockerfileStage, findStage } from './stages.js'

/** The base of a stage, or the source of a COPY. */
export type StageBase =
  | { readonly kind: 'scratch' }
  | { readonly kind: 'stage'; readonly index: number }
  | { readonly kind: 'image'; readonly name: string }

export interface PlannedStage {
  readonly stage: DockerfileStage
  readonly base: StageBase
}

export interface BuildPlan {
  /** The stages that the target needs, in file order. The last one is the target. */
  readonly stages: readonly PlannedStage[]
  readonly scope: ArgumentScope
}

export interface PlanOptions {
  /** Name or number; the last stage if undefined. */
  readonly target?: string | undefined
  readonly given: BuildVariables
  readonly architecture: Architecture
}

/** Decides which stages to build, and the base of each. */
export function planBuild(dockerfile: Dockerfile, options: PlanOptions): BuildPlan {
  const platform = platformArguments(options.architecture)
  const globals = globalArguments(dockerfile, options.given, platform)
  const planned = dockerfile.stages.map((stage) => {
    requireThisPlatform(stage, new Map([...platform, ...globals]), options.architecture)
    return { stage, base: baseOf(dockerfile, stage, new Map([...platform, ...globals])) }
  })
  const needed = neededStages(planned, targetOf(dockerfile, options.target))
  const scope = { given: options.given, inherited: new Map([...platform, ...globals]) }
  return { stages: planned.filter(({ stage }) => needed.has(stage.index)), scope }
}

function globalArguments({ globals }: Dockerfile, given: BuildVariables, platform: BuildVariables): BuildVariables {
  let values: BuildVariables = new Map()
  for (const instruction of globals)
    values = declareArguments(instruction, { given, inherited: platform }, { values, variables: platform })
  return values
}

function baseOf({ stages }: Dockerfile, { index, from, base }: DockerfileStage, variables: BuildVariables): StageBase {
  const name = expandIn(base, variables, from)
  if (name === '') throw new DockerfileError(from.line, `FROM ${base} is empty; give it a value with --build-arg`)
  if (name === 'scratch') return { kind: 'scratch' }
  const stage = stages.slice(0, index).find((each) => each.name === name.toLowerCase())
  return stage ? { kind: 'stage', index: stage.index } : { kind: 'image', name }
}

/** Resolves `--from` of a COPY: an earlier stage, otherwise an image. */
export function copySource(stages: readonly DockerfileStage[], current: DockerfileStage, from: string): StageBase {
  const stage = findStage(stages.slice(0, current.index), from)
  return stage ? { kind: 'stage', index: stage.index } : { kind: 'image', name: from }
}

function requireThisPlatform({ from }: DockerfileStage, variables: BuildVariables, architecture: Architecture): void {
  const [given] = flagValues(from, ['platform']).platform
  const platform = given === undefined ? undefined : expandIn(given, variables, from)
  const isThisPlatform = platform === undefined || platform === architecture || platform === `linux/${architecture}`
  if (!isThisPlatform)
    throw new DockerfileError(from.line, `cannot build an image for ${platform}; this host is linux/${architecture}`)
}

function targetOf({ stages }: Dockerfile, target: string | undefined): DockerfileStage {
  if (target === undefined) return stages.at(-1)!
  const stage = findStage(stages, target)
  const names = stages.flatMap(({ name }) => name ?? [])
  const known = names.length > 0 ? `its named stages are ${names.join(', ')}` : 'none of its stages has a name'
  if (!stage) throw new Error(`the Dockerfile has no stage ${target}; ${known}`)
  return stage
}

/** Returns the indexes of the target and of all stages that it needs. */
function neededStages(planned: readonly PlannedStage[], target: DockerfileStage): ReadonlySet<number> {
  const stages = planned.map(({ stage }) => stage)
  const needed = new Set<number>()
  const add = (index: number) => {
    if (needed.has(index)) return
    needed.add(index)
    const { stage, base } = planned[index]!
    const sources = stage.instructions
      .filter(({ keyword }) => keyword === 'COPY')
      .flatMap(({ flags }) => flags.filter(([name]) => name === 'from'))
      .map(([, from = '']) => copySource(stages, stage, from))
    for (const source of [base, ...sources]) if (source.kind === 'stage') add(source.index)
  }
  add(target.index)
  return needed
}
