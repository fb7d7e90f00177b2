import type { JsonValue } from '../declaration.js'
import { fieldElement, printElement } from './element.js'
import { plainText, syntaxText, typeText } from './go-format.js'
import { ItemError, itemElement } from './items.js'
import { type ListShape, type MapShape, memberShape, type ScalarShape, type Shape, type StructShape } from './shape.js'
import { isList, isMap } from './value.js'

/** What is wrong with an applied configuration, each with its path: `.spec.replica: field not declared in schema`. */
export function configurationProblems(shape: StructShape, configuration: JsonValue): readonly string[] {
  return [...problemsIn(shape, configuration, '')]
}

/** As one message: a single problem by itself, several on lines of their own. */
export function problemText(problems: readonly string[]): string {
  return problems.length === 1 ? problems[0]! : ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n')
}

/** Null stands for anything. */
function* problemsIn(shape: Shape, value: JsonValue, path: string): Iterable<string> {
  if (value === null) return
  if (shape.is === 'scalar') yield* scalarProblems(shape, value, path)
  else if (shape.is === 'list') yield* listProblems(shape, value, path)
  else if (shape.is !== 'any') yield* mapProblems(shape, value, path)
}

function problem(path: string, text: string): string {
  return path ? `${path}: ${text}` : text
}

function* scalarProblems({ of }: ScalarShape, value: JsonValue, path: string): Iterable<string> {
  if (of === 'any' ? typeof value !== 'object' : typeof value === of) return
  if (of === 'number') yield problem(path, `expected numeric (int or float), got ${typeText(value)}`)
  else if (of === 'boolean') yield problem(path, `expected boolean, got ${shown(value)}`)
  else if (of === 'any') yield problem(path, `expected any scalar, got ${shown(value)}`)
  else yield problem(path, `expected string, got &value.valueUnstructured{Value:${syntaxText(value)}}`)
}

function shown(value: JsonValue): string {
  return `&{${plainText(value)}}`
}

/** After a field that is not declared, the rest of the map is not looked at. */
function* mapProblems(shape: MapShape | StructShape, value: JsonValue, path: string): Iterable<string> {
  if (!isMap(value)) return yield problem(path, `expected map, got ${shown(value)}`)
  for (const key of Object.keys(value)) {
    const member = shape.is === 'map' ? shape.of : memberShape(shape, key)
    const below = path + printElement(fieldElement(key))
    if (!member) return yield problem(below, 'field not declared in schema')
    yield* problemsIn(member, value[key]!, below)
  }
}

function* listProblems(list: ListShape, value: JsonValue, path: string): Iterable<string> {
  if (!isList(value)) return yield problem(path, `expected list, got ${shown(value)}`)
  if (list.items !== 'atomic') return yield* itemProblems(list, value, path)
  for (const [index, item] of value.entries()) yield* problemsIn(list.of, item, `${path}[${index}]`)
}

/** Items must be distinct. After one that cannot be told apart from others, the rest is not looked at. */
function* itemProblems(list: ListShape, items: readonly JsonValue[], path: string): Iterable<string> {
  const seen = new Set<string>()
  for (const [index, item] of items.entries()) {
    const element = elementOrProblem(list, item)
    if (element instanceof ItemError) return yield problem(path, `element ${index}: ${element.message}`)
    if (seen.has(element)) yield problem(path, `duplicate entries for key ${printElement(element)}`)
    seen.add(element)
    yield* problemsIn(list.of, item, path + printElement(element))
  }
}

function elementOrProblem(list: ListShape, item: JsonValue): string | ItemError {
  try {
    return itemElement(list, item)
  } catch (error) {
    if (error instanceof ItemError) return error
    throw error
  }
}
