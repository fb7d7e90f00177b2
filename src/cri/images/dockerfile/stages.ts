import { DockerfileError } from './dockerfile-error.js'
import { type Instruction, parseInstruction } from './instruction.js'
import { logicalLines } from './lines.js'

/** The instructions from one FROM to the next. */
export interface DockerfileStage {
  readonly index: number
  /** The name in `FROM … AS name`, in lower case; undefined without one. */
  readonly name: string | undefined
  readonly from: Instruction
  /** The word after FROM, before expansion: an image, an earlier stage, or `scratch`. */
  readonly base: string
  /** Without FROM. */
  readonly instructions: readonly Instruction[]
}

export interface Dockerfile {
  /** ARGs before the first FROM. */
  readonly globals: readonly Instruction[]
  readonly stages: readonly DockerfileStage[]
}

const keywords = [
  ...['ADD', 'ARG', 'CMD', 'COPY', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'FROM', 'HEALTHCHECK', 'LABEL', 'MAINTAINER'],
  ...['ONBUILD', 'RUN', 'SHELL', 'STOPSIGNAL', 'USER', 'VOLUME', 'WORKDIR'],
]
const stageName = /^[a-z][a-z0-9._-]*$/

/** Parses a Dockerfile into stages. Throws a `DockerfileError` for an invalid one. */
export function parseDockerfile(text: string): Dockerfile {
  const { lines, escapeCharacter } = logicalLines(text)
  const instructions = lines.map((line) => knownInstruction(parseInstruction(line, escapeCharacter)))
  const first = instructions.findIndex(({ keyword }) => keyword === 'FROM')
  const globals = first < 0 ? instructions : instructions.slice(0, first)
  const early = globals.find(({ keyword }) => keyword !== 'ARG')
  if (early) throw new DockerfileError(early.line, `${early.keyword} is not allowed before the first FROM; only ARG is`)
  if (first < 0) throw new DockerfileError(1, 'there is no FROM; use FROM scratch to start with an empty image')
  return { globals, stages: stagesOf(instructions.slice(first)) }
}

export function knownInstruction(instruction: Instruction): Instruction {
  const { keyword, line } = instruction
  if (!keywords.includes(keyword)) throw new DockerfileError(line, `unknown instruction ${keyword}`)
  return instruction
}

function stagesOf(instructions: readonly Instruction[]): DockerfileStage[] {
  const stages: (DockerfileStage & { instructions: Instruction[] })[] = []
  for (const instruction of instructions)
    if (instruction.keyword !== 'FROM') stages.at(-1)!.instructions.push(instruction)
    else stages.push({ index: stages.length, from: instruction, ...baseAndName(instruction, stages), instructions: [] })
  return stages
}

function baseAndName(
  { text, line }: Instruction,
  earlier: readonly DockerfileStage[],
): Pick<DockerfileStage, 'base' | 'name'> {
  const [base, as, given, ...others] = text.split(/\s+/)
  if (!base) throw new DockerfileError(line, 'FROM needs the name of an image')
  if (as === undefined) return { base, name: undefined }
  const name = given?.toLowerCase()
  if (as.toUpperCase() !== 'AS' || name === undefined || others.length > 0)
    throw new DockerfileError(line, `FROM needs IMAGE or IMAGE AS NAME: ${text}`)
  if (!stageName.test(name)) throw new DockerfileError(line, `${given} is not a valid stage name`)
  if (earlier.some((stage) => stage.name === name))
    throw new DockerfileError(line, `there are two stages named ${name}`)
  return { base, name }
}

/** Finds a stage by name or number. */
export function findStage(stages: readonly DockerfileStage[], name: string): DockerfileStage | undefined {
  const wanted = name.toLowerCase()
  return stages.find((stage) => stage.name === wanted) ?? (/^\d+$/.test(name) ? stages[Number(name)] : undefined)
}
