import { expandIn } from './build-arguments.js'
import { DockerfileError } from './dockerfile-error.js'
import { expandDocument } from './expansion.js'
import { flagValues, type Instruction, jsonList, splitWords } from './instruction.js'
import { inWorkingDirectory, type StageSettings, variablesOf } from './settings.js'

/** A COPY or ADD with all variables replaced. */
export interface CopyRequest {
  readonly line: number
  readonly keyword: string
  /** A stage or an image; undefined for the build context. */
  readonly from: string | undefined
  /** Paths, which may contain `*`, `?` and `[…]`. */
  readonly sources: readonly string[]
  /** Files whose content is in the Dockerfile. */
  readonly documents: readonly { readonly name: string; readonly content: string }[]
  /** Absolute. A trailing slash means a directory. */
  readonly target: string
  /** `user`, `user:group`; names or numbers. */
  readonly owner: string | undefined
  readonly mode: number | undefined
}

const copyFlags = ['from', 'chown', 'chmod', 'link'] as const
const addFlags = ['chown', 'chmod', 'link'] as const

export function copyRequest(instruction: Instruction, settings: StageSettings): CopyRequest {
  const { keyword, line } = instruction
  const known: readonly (typeof copyFlags)[number][] = keyword === 'COPY' ? copyFlags : addFlags
  const flags = flagValues(instruction, known)
  const variables = variablesOf(settings)
  const expanded = (text: string) => expandIn(text, variables, instruction)
  const last = (values: readonly string[] | undefined) => {
    const value = values?.at(-1)
    return value === undefined ? undefined : expanded(value)
  }
  const words = pathsOf(instruction).map(expanded)
  const target = words.pop()
  const documents = instruction.heredocs.map(({ name, expands, content }) => ({
    name,
    content: expands ? expandDocument(content, variables, instruction.escapeCharacter) : content,
  }))
  if (!target || words.length + documents.length === 0)
    throw new DockerfileError(line, `${keyword} needs at least one source and a target`)
  if (words.length + documents.length > 1 && !target.endsWith('/') && target !== '.')
    throw new DockerfileError(line, `with several sources the target of ${keyword} must end with /: ${target}/`)
  for (const source of words) rejectUrl(source, instruction)
  const request = { line, keyword, from: flags.from?.at(-1), sources: words, documents }
  const isDirectory = /(^|\/)\.?$/.test(target)
  const path = inWorkingDirectory(settings, target)
  return {
    ...request,
    target: isDirectory && !path.endsWith('/') ? `${path}/` : path,
    owner: last(flags.chown),
    mode: modeOf(last(flags.chmod), instruction),
  }
}

/** Returns the paths without the heredocs among them. */
function pathsOf({ text, escapeCharacter, heredocs }: Instruction): string[] {
  const list = jsonList(text)
  if (list) return list
  const words = splitWords(text, escapeCharacter)
  return heredocs.length === 0 ? words : words.filter((word) => !/^\d*<<-?["']?[^"'<]+["']?$/.test(word))
}

function rejectUrl(source: string, { keyword, line }: Instruction): void {
  if (keyword === 'ADD' && /^(https?|ftp|ssh|git):\/\/|^git@/i.test(source))
    throw new DockerfileError(line, `ADD cannot download; download ${source} to the build context, and COPY it`)
}

function modeOf(text: string | undefined, { keyword, line }: Instruction): number | undefined {
  if (text === undefined) return undefined
  if (!/^[0-7]{1,5}$/.test(text) || Number.parseInt(text, 8) > 0o7777)
    throw new DockerfileError(line, `${keyword} --chmod must be an octal number such as 0755: ${text}`)
  return Number.parseInt(text, 8)
}
