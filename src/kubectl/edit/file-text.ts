import { parseYaml, YamlSyntaxError } from '../../wire/yaml.js'
import { jsonText } from '../printers/json.js'

/** Why a file is opened again. */
export interface EditError {
  readonly head: string
  readonly causes: readonly string[]
}

/** What stands above the objects: what to do, and what was wrong with them before. */
export function headerText(invitation: string, reasons: readonly EditError[]): string {
  return `${invitation}${reasons.map(reasonText).join('')}`
}

function reasonText({ head, causes }: EditError): string {
  const first = `# ${asComment(head)}${causes.length > 0 ? ':' : ''}\n`
  return `${first}${causes.map((cause) => `# * ${asComment(cause)}\n`).join('')}#\n`
}

/** What runs over several lines stays a comment. */
function asComment(text: string): string {
  return text.replace(/\n(?=[^#])/g, '\n# ')
}

/** Without the lines that are comments. */
export function withoutComments(text: string): string {
  return text.replace(/^[^\S\n]*#(?!!)[^\n]*(?:\n|$)/gm, '')
}

/** Whether anything stands there but comments and nothing. */
export function hasContent(text: string): boolean {
  return text.split('\n').some((line) => line.trim() !== '' && !line.trim().startsWith('#'))
}

/**
 * What two texts must share to count as the same: the value of the first document. JSON is taken as it is written, and so is, but for
 * its comments, what cannot be read.
 */
export async function comparableText(text: string): Promise<string> {
  if (isJson(text)) return text
  try {
    return jsonText((await parseYaml(firstDocument(text))).value)
  } catch (error) {
    if (error instanceof YamlSyntaxError) return withoutComments(text)
    throw error
  }
}

export function isJson(text: string): boolean {
  return text.trimStart().startsWith('{')
}

/** Comments above a separator are no document yet. */
export function firstDocument(text: string): string {
  return text.split(/^---(?=\s|$)/m).find(hasContent) ?? ''
}
