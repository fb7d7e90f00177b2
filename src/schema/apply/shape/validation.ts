import type { JsonValue } from '../../declaration.js'
import { goSyntaxText, goText, goTypeOf } from '../../go-text.js'
import { isList, isObject } from '../../json-value.js'
import { fieldElement, indexElement, type PathElement, printElement } from '../field-set/path-element.js'
import { ItemError, itemElement } from './items.js'
import {
  type ListShape,
  type MapShape,
  memberShape,
  type ScalarShape,
  type StructShape,
  type ValueShape,
} from './shape.js'

/** Returns the problems of an applied configuration: `.spec.replica: field not declared in schema`. */
export function configurationProblems(shape: StructShape, configuration: JsonValue): readonly string[] {
  return problemsIn(shape, configuration).map(print)
}

/** Returns the problems of a stored object, which may have duplicate items. */
export function objectProblems(shape: StructShape, object: JsonValue): readonly string[] {
  return problemsIn(shape, object)
    .filter(({ isDuplicate }) => !isDuplicate)
    .map(print)
}

function print({ path, text }: Problem): string {
  return path ? `${path}: ${text}` : text
}

/** Formats problems as one message: several ones on separate lines. */
export function problemText(problems: readonly string[]): string {
  return problems.length === 1 ? problems[0]! : ['errors:', ...problems.map((problem) => `  ${problem}`)].join('\n')
}

/** A problem and its path, which is only built for problems, from the inside out. */
interface Problem {
  readonly path: string
  readonly text: string
  readonly isDuplicate?: boolean
}

const none: readonly Problem[] = []

function one(text: string): readonly Problem[] {
  return [{ path: '', text }]
}

function below(element: PathElement, problem: Problem): Problem {
  return { ...problem, path: printElement(element) + problem.path }
}

/** Null fits every shape. */
function problemsIn(shape: ValueShape, value: JsonValue): readonly Problem[] {
  if (value === null || shape.is === 'any') return none
  if (shape.is === 'scalar') return scalarProblems(shape, value)
  return shape.is === 'list' ? listProblems(shape, value) : mapProblems(shape, value)
}

function scalarProblems({ of }: ScalarShape, value: JsonValue): readonly Problem[] {
  if (of === 'any' ? typeof value !== 'object' : typeof value === of) return none
  if (of === 'number') return one(`expected numeric (int or float), got ${goTypeOf(value)}`)
  if (of === 'boolean') return one(`expected boolean, got ${shown(value)}`)
  if (of === 'any') return one(`expected any scalar, got ${shown(value)}`)
  return one(`expected string, got &value.valueUnstructured{Value:${goSyntaxText(value)}}`)
}

function shown(value: JsonValue): string {
  return `&{${goText(value)}}`
}

/** Stops at the first undeclared field of a map. */
function mapProblems(shape: MapShape | StructShape, value: JsonValue): readonly Problem[] {
  if (!isObject(value)) return one(`expected map, got ${shown(value)}`)
  const found: Problem[] = []
  for (const key of Object.keys(value)) {
    const member = memberShape(shape, key)
    const problems = member ? problemsIn(member, value[key]!) : one('field not declared in schema')
    for (const problem of problems) found.push(below(fieldElement(key), problem))
    if (!member) break
  }
  return found
}

function listProblems(list: ListShape, value: JsonValue): readonly Problem[] {
  if (!isList(value)) return one(`expected list, got ${shown(value)}`)
  if (list.items !== 'atomic') return itemProblems(list, value)
  return value.flatMap((item, index) => problemsIn(list.of, item).map((problem) => below(indexElement(index), problem)))
}

/** Items must be distinct. Stops at the first item without an identity. */
function itemProblems(list: ListShape, items: readonly JsonValue[]): readonly Problem[] {
  const seen = new Set<PathElement>()
  const found: Problem[] = []
  for (const [index, item] of items.entries()) {
    const element = elementOrProblem(list, item)
    if (element instanceof ItemError) return [...found, ...one(`element ${index}: ${element.message}`)]
    if (seen.has(element)) found.push(duplicate(element))
    seen.add(element)
    for (const problem of problemsIn(list.of, item)) found.push(below(element, problem))
  }
  return found
}

function duplicate(element: PathElement): Problem {
  return { path: '', text: `duplicate entries for key ${printElement(element)}`, isDuplicate: true }
}

function elementOrProblem(list: ListShape, item: JsonValue): PathElement | ItemError {
  try {
    return itemElement(list, item)
  } catch (error) {
    if (error instanceof ItemError) return error
    throw error
  }
}
