import type { JsonObject } from '../../schema/declaration.js'
import { JsonSyntaxError, readJson } from '../../schema/decode/json-reader.js'
import { isList, isObject, stringIn } from '../../schema/json-value.js'
import { quote } from '../../schema/quote.js'
import { parseYaml, YamlSyntaxError } from '../../wire/yaml.js'
import { errorMessage } from '../command-errors.js'
import type { Factory } from '../factory/factory.js'
import { jsonText } from '../printers/json.js'
import { valuesOf } from '../resources/files.js'
import { isListObject, itemsOf, metadataOf, type ResourceObject } from '../resources/resource-object.js'
import { resourceOfObject } from '../resources/selection.js'
import { firstDocument, isJson, withoutComments } from './file-text.js'

const source = 'edited-file'

/** Returns what is wrong with a text: it cannot be parsed, or has no kind or version. Sends nothing. */
export async function syntaxProblem(text: string): Promise<string | undefined> {
  try {
    const problems = typeProblems(await firstValue(text))
    return problems.length > 1 ? `[${problems.join(', ')}]` : problems[0]
  } catch (error) {
    if (error instanceof YamlSyntaxError || error instanceof JsonSyntaxError)
      return error.message.replace(/^(yaml: )line 1: /, '$1')
    throw error
  }
}

async function firstValue(text: string): Promise<unknown> {
  if (!isJson(text)) return (await parseYaml(firstDocument(withoutComments(text)))).value
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    readJson(text) // says it in the words that people know
    throw error
  }
}

function typeProblems(value: unknown): readonly string[] {
  if (!isObject(value)) return ['invalid object to validate']
  const problems = ['apiVersion', 'kind'].flatMap((field) => {
    if (value[field] === undefined || value[field] === null) return [`${field} not set`]
    return typeof value[field] === 'string' ? [] : [`${field} isn't string type`]
  })
  if (problems.length > 0 || isGroupVersion(value.apiVersion)) return problems
  return [`unexpected GroupVersion string: ${String(value.apiVersion)}`]
}

/** Accepts `v1` and `apps/v1`, and also an empty value. */
function isGroupVersion(text: unknown): boolean {
  return String(text).split('/').length <= 2
}

/** Parses the objects of an edited text and resolves their resources. Throws if an object is not understood. */
export async function parseEditedObjects(factory: Factory, text: string): Promise<readonly ResourceObject[]> {
  const infos: ResourceObject[] = []
  const problems: string[] = []
  for (const object of (await valuesOf(text, source)).flatMap(objectsIn))
    await editedInfo(factory, object).then(
      (info) => infos.push(info),
      (error: unknown) => problems.push(errorMessage(error)),
    )
  if (problems.length > 0) throw new Error(problems.length > 1 ? `[${problems.join(', ')}]` : problems[0])
  return infos
}

function objectsIn(value: unknown): readonly JsonObject[] {
  if (!isObject(value))
    throw new Error(
      `unable to decode ${quote(source)}: json: cannot unmarshal ${jsonType(value)} into Go value of type unstructured.detector`,
    )
  if (isListObject(value)) return itemsOf(value).flatMap(objectsIn)
  if (!stringIn(value, 'kind') || !isGroupVersion(value.apiVersion))
    throw new Error(`unable to decode ${quote(source)}: Object 'Kind' is missing in '${jsonText(value)}'`)
  return [value]
}

function jsonType(value: unknown): string {
  if (isList(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

export async function editedInfo(factory: Factory, object: JsonObject): Promise<ResourceObject> {
  const resource = await resourceOfObject(factory, object, source)
  const { name = '', namespace = '' } = metadataOf(object)
  return { resource, name, namespace, object, source }
}
