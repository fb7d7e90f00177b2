import { resolve } from 'node:path'
import { boolean, text } from '../../base/flags/flag-types.js'
import type { JsonObject } from '../../schema/declaration.js'
import { quote } from '../../schema/quote.js'
import type { Factory } from '../factory/factory.js'
import { isListObject, itemsOf, objectName, withMetadata } from '../resources/resource-object.js'
import { printJson } from './json.js'

/** The flags of every command that prints objects. */
export const outputFlags = {
  output: text('Output format: json, yaml, name, jsonpath, go-template and others', { short: 'o' }),
  template: text('Template for go-template and jsonpath, if the output format does not contain it'),
  'allow-missing-template-keys': boolean('Ignore missing fields in templates', { initial: true }),
  'show-managed-fields': boolean('Show managedFields in JSON and YAML'),
} as const

export interface OutputChoice {
  readonly output: string
  readonly template: string
  readonly 'allow-missing-template-keys': boolean
  readonly 'show-managed-fields': boolean
  readonly 'no-headers'?: boolean
}

/** Formats one object. Several calls give the text of several objects. */
export type PrintObject = (object: JsonObject) => string

const usualFormats = [
  'go-template',
  'go-template-file',
  'json',
  'jsonpath',
  'jsonpath-as-json',
  'jsonpath-file',
  'name',
  'template',
  'templatefile',
  'yaml',
]

export interface PrinterOptions {
  /** Additional formats of the command. */
  readonly further?: readonly string[]
  /** Upstream has a Go type for the kind: JSON keys are in the order of its fields. */
  readonly isTyped?: boolean
}

/** Returns the printer for the flags; undefined if the command chooses the format. Throws for an unknown format. */
export async function objectPrinter(
  factory: Factory,
  choice: OutputChoice,
  { further = [], isTyped = false }: PrinterOptions = {},
): Promise<PrintObject | undefined> {
  const [, format = '', separator = '', argument = ''] = /^([^=]*)(=?)([\s\S]*)$/.exec(choice.output)!
  if (format === '' && choice.template === '') return undefined
  const allowed = [...usualFormats, ...further].sort()
  const known = format === '' ? 'go-template' : allowed.includes(format) ? format : undefined
  if (known === undefined || further.includes(format))
    return known === undefined ? unknownFormat(choice.output, allowed) : undefined
  const withTemplate = separator === '' ? choice.template : argument
  return (await plain(known, choice, isTyped)) ?? templated(factory, known, withTemplate, choice)
}

export function unknownFormat(format: string, allowed: readonly string[]): never {
  throw new Error(
    `unable to match a printer suitable for the output format ${quote(format)}, allowed formats are: ${allowed.join(',')}`,
  )
}

async function plain(format: string, choice: OutputChoice, isTyped: boolean): Promise<PrintObject | undefined> {
  const shown = (object: JsonObject) => (choice['show-managed-fields'] ? object : objectWithoutManagedFields(object))
  if (format === 'json') return (object) => printJson(shown(object), isTyped)
  if (format === 'name') return namePrinter
  if (format !== 'yaml') return undefined
  const { printYaml } = await import('./yaml/yaml.js')
  let count = 0
  return (object) => `${count++ > 0 ? '---\n' : ''}${printYaml(shown(object))}`
}

async function templated(factory: Factory, format: string, given: string, choice: OutputChoice): Promise<PrintObject> {
  if (given === '') throw new Error('template format specified but no template given')
  const isFile = format.endsWith('file')
  const template = isFile ? await readTemplate(factory, given) : given
  const options = { allowMissingKeys: choice['allow-missing-template-keys'] }
  if (format.startsWith('jsonpath')) {
    const { jsonPathPrinter } = await import('./json-path/json-path.js')
    return jsonPathPrinter(template, { ...options, asJson: format === 'jsonpath-as-json' })
  }
  const { templatePrinter } = await import('./template/template.js')
  return templatePrinter(template, options)
}

export async function readTemplate({ environment: { host } }: Factory, path: string): Promise<string> {
  try {
    return await host.files.read(resolve(host.workingDirectory, path))
  } catch (error) {
    throw new Error(`error reading --template ${path}, open ${path}: no such file or directory`, { cause: error })
  }
}

function namePrinter(object: JsonObject): string {
  if (isListObject(object)) return itemsOf(object).map(namePrinter).join('')
  return `${objectName(object)}\n`
}

export function objectWithoutManagedFields(object: JsonObject): JsonObject {
  if (isListObject(object))
    return { ...object, items: itemsOf(object).map((item) => withMetadata(item, { managedFields: undefined })) }
  return object.metadata === undefined ? object : withMetadata(object, { managedFields: undefined })
}

/** Wraps objects in a `List`. */
export function listObject(items: readonly JsonObject[], metadata: JsonObject = { resourceVersion: '' }): JsonObject {
  return { apiVersion: 'v1', kind: 'List', metadata, items: [...items] }
}
