import { parseYaml, YamlSyntaxError } from '../../wire/yaml.js'
import { jsonText } from '../printers/json.js'

/** An error that opens the file again. */
export interface EditError {
  readonly head: string
  readonly causes: readonly string[]
}

/** Returns the header of the file: instructions, then the errors of the last attempt. */
export function headerText(invitation: string, reasons: readonly EditError[]): string {
  return `${invitation}${reasons.map(reasonText).join('')}`
}

function reasonText({ head, causes }: EditError): string {
  const first = `# ${asComment(head)}${causes.length > 0 ? ':' : ''}\n`
  return `${first}${causes.map((cause) => `# * ${asComment(cause)}\n`).join('')}#\n`
}

/** Prefixes every line, so that a multi-line text stays a comment. */
function asComment(text: string): string {
  return text.replace(/\n(?=[^#])/g, '\n# ')
}

/** Removes comment lines. */
export function withoutComments(text: string): string {
  return text.replace(/^[^\S\n]*#(?!!)[^\n]*(?:\n|$)/gm, '')
}

/** Whether the text has anything but comments and empty lines. */
export function hasContent(text: string): boolean {
  return text.split('\n').some((line) => line.trim() !== '' && !line.trim().startsWith('#'))
}

/**
 * Returns the value of the first document, for comparison. JSON, and text that cannot be parsed, is compared as written, without comments.
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

/** Comments before a separator are not a document. */
export function firstDocument(text: string): string {
  return text.split(/^---(?=\s|$)/m).find(hasContent) ?? ''
}
