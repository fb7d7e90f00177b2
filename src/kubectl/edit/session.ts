import type { JsonObject } from '../../schema/declaration.js'
import { quote } from '../../schema/quote.js'
import { fieldValidationOf, withChangeCause, withLastApplied } from '../changes/change-flags.js'
import { ExitCodeError, errorMessage } from '../command-errors.js'
import { printJson } from '../printers/json.js'
import { listObject, objectWithoutManagedFields, unknownFormat } from '../printers/output.js'
import { printYaml } from '../printers/yaml/yaml.js'
import { metadataOf, type ResourceObject, withMetadata } from '../resources/resource-object.js'
import { requireNamespace } from '../resources/selection.js'
import { parseEditedObjects, syntaxProblem } from './edited-file.js'
import { type EditedFile, editText } from './editor.js'
import { EditFailures } from './failures.js'
import { comparableText, hasContent, headerText, withoutComments } from './file-text.js'
import type { EditContext } from './flags.js'

export interface EditOptions {
  readonly call: EditContext
  /** The comment at the start of YAML files. */
  readonly instructions: string
  /** Sends the edited objects. A thrown error ends the session; errors that the user can correct go to `failures`. */
  readonly submit: (
    edited: readonly ResourceObject[],
    originals: readonly ResourceObject[],
    failures: EditFailures,
  ) => Promise<void>
}

export const defaultInstructions = `# Please edit the object below. Lines beginning with a '#' will be ignored,
# and an empty file will abort the edit. If an error occurs while saving this file will be
# reopened with the relevant failures.
#
`

/** Opens objects in an editor until the server accepts them or the user saves no more changes. */
export async function editObjects(editing: EditOptions, originals: readonly ResourceObject[]): Promise<void> {
  const session = new EditSession(editing, originals)
  while (!(await session.round()));
}

class EditSession {
  readonly #editing: EditOptions
  readonly #originals: readonly ResourceObject[]
  #failures = new EditFailures()
  /** The text that was opened first. */
  #shown = ''
  /** The last saved file. At most one file is left behind. */
  #last: EditedFile | undefined

  constructor(editing: EditOptions, originals: readonly ResourceObject[]) {
    this.#editing = editing
    this.#originals = originals
  }

  /** Opens the file once. Resolves with true when the session is over. */
  async round(): Promise<boolean> {
    const { path, text } = await this.#edited()
    const { validate } = this.#editing.call.flags
    const problem = fieldValidationOf({ validate }) === 'Ignore' ? undefined : await syntaxProblem(text)
    if (problem !== undefined) {
      const cause = `<nil>: Invalid value: "The edited file failed validation": ${problem}`
      await this.#tell(this.#failures.addInvalid(this.#originals[0]!, [cause]))
      return false
    }
    if ((await comparableText(this.#shown)) === (await comparableText(text))) return this.#cancelled('no changes made')
    if (!hasContent(text)) return this.#cancelled('saved file was empty')
    const infos = await this.#read(text)
    return infos !== undefined && this.#submitted(infos, path)
  }

  async #edited(): Promise<EditedFile> {
    const { environment } = this.#editing.call.factory
    const before = this.#last
    const suffix = this.#isJson ? '.json' : '.yaml'
    const content = before ? this.#head() + withoutComments(before.text) : this.#first()
    const edited = await editText(environment, content, suffix).catch((error: unknown) => this.#kept(error))
    this.#last = edited
    this.#failures = new EditFailures()
    if (!before) return edited
    await this.#remove(before.path)
    if ((await comparableText(before.text)) === (await comparableText(edited.text)))
      return this.#kept(new Error('Edit cancelled, no valid changes were saved.'))
    return edited
  }

  #first(): string {
    const { output } = this.#editing.call.flags
    if (!['', 'json', 'yaml'].includes(output)) unknownFormat(output, ['json', 'yaml'])
    const objects = this.#originals.map(({ object }) => object)
    const shown = objectWithoutManagedFields(objects.length === 1 ? objects[0]! : listObject(objects, {}))
    const text = this.#isJson ? printJson(shown) : printYaml(shown)
    this.#shown = this.#head() + this.#withLineEndings(text)
    return this.#shown
  }

  #head(): string {
    if (this.#isJson) return ''
    return this.#withLineEndings(headerText(this.#editing.instructions, this.#failures.reasons))
  }

  #withLineEndings(text: string): string {
    return this.#editing.call.flags['windows-line-endings'] ? text.replaceAll('\n', '\r\n') : text
  }

  get #isJson(): boolean {
    return this.#editing.call.flags.output === 'json'
  }

  /** Undefined if the text cannot be understood and must be opened again. */
  async #read(text: string): Promise<readonly ResourceObject[] | undefined> {
    try {
      return await parseEditedObjects(this.#editing.call.factory, text)
    } catch (error) {
      this.#failures.reasons.push({ head: `The edited file had a syntax error: ${errorMessage(error)}`, causes: [] })
      return undefined
    }
  }

  async #submitted(infos: readonly ResourceObject[], path: string): Promise<boolean> {
    const failures = this.#failures
    await this.#submit(infos).catch((error: unknown) => this.#kept(error))
    if (failures.hasRetryable) {
      await this.#tell(`You can run \`kubectl replace -f ${path}\` to try this update again.`)
      throw new ExitCodeError(1)
    }
    if (failures.hasNotFound) {
      await this.#tell(`The edits you made on deleted resources have been saved to ${quote(path)}`)
      throw new ExitCodeError(1)
    }
    if (failures.reasons.length > 0) return false
    await this.#remove(path)
    return true
  }

  async #submit(infos: readonly ResourceObject[]): Promise<void> {
    const { name: home } = await this.#editing.call.factory.namespace()
    const edited = infos.map((info) => this.#annotated(inNamespace(this.#withManagedFields(info), home)))
    await this.#editing.submit(edited, this.#originals, this.#failures)
  }

  /** Restores the managed fields, which the file does not show. */
  #withManagedFields(info: ResourceObject): ResourceObject {
    const { uid } = metadataOf(info.object)
    const original = this.#originals.find(({ object }) => metadataOf(object).uid === uid)
    const managedFields = original && metadataOf(original.object).managedFields
    return { ...info, object: withMetadata(info.object, { managedFields }) }
  }

  #annotated(info: ResourceObject): ResourceObject {
    const { call } = this.#editing
    const saved: JsonObject = call.flags['save-config'] ? withLastApplied(info.object) : info.object
    return { ...info, object: call.flags.record ? withChangeCause(call, saved) : saved }
  }

  async #cancelled(why: string): Promise<boolean> {
    await this.#remove(this.#last!.path)
    await this.#tell(`Edit cancelled, ${why}.`)
    return true
  }

  /** Throws the error. The message names the file with the user's changes. */
  async #kept(error: unknown): Promise<never> {
    const { path } = this.#last ?? {}
    if (path !== undefined && (await this.#files.exists(path)))
      await this.#tell(`A copy of your changes has been stored to ${quote(path)}`)
    throw error
  }

  async #remove(path: string): Promise<void> {
    if (await this.#files.exists(path)) await this.#files.remove(path)
  }

  get #files() {
    return this.#editing.call.factory.environment.host.files
  }

  async #tell(line: string): Promise<void> {
    await this.#editing.call.err(`${line}\n`)
  }
}

function inNamespace(info: ResourceObject, home: string): ResourceObject {
  if (!info.resource.namespaced) return info
  requireNamespace(info.namespace, home)
  return { ...info, namespace: home, object: withMetadata(info.object, { namespace: home }) }
}
