import { isContainer } from '../../../schema/json-value.js'
import { jsonText, printJson } from '../json.js'
import { type Evaluation, follow } from './evaluate.js'
import { goSyntax } from './go-syntax.js'
import { parseJsonPathTemplate } from './parse.js'
import type { JsonPathNode } from './syntax.js'

interface JsonPathOptions {
  /** Whether missing fields are skipped. */
  readonly allowMissingKeys: boolean
  /** Print the results as a JSON list. */
  readonly asJson?: boolean
}

/** The printer of `-o jsonpath`. */
export function jsonPathPrinter(template: string, { allowMissingKeys, asJson = false }: JsonPathOptions) {
  const nodes = parsed(template)
  return (value: unknown): string => {
    const evaluation = { root: value, isStrict: !allowMissingKeys }
    try {
      return asJson ? printJson(results(nodes, value, evaluation)) : nodesText(nodes, value, evaluation)
    } catch (error) {
      throw new Error(explained(template, value, error as Error), { cause: error })
    }
  }
}

function parsed(template: string): readonly JsonPathNode[] {
  try {
    return parseJsonPathTemplate(template)
  } catch (error) {
    throw new Error(`error parsing jsonpath ${template}, ${(error as Error).message}`, { cause: error })
  }
}

function explained(template: string, value: unknown, { message }: Error): string {
  return `error executing jsonpath ${JSON.stringify(template)}: Error executing template: ${message}. Printing more information for debugging the template:
\ttemplate was:
\t\t${template}
\tobject given to jsonpath engine was:
\t\t${goSyntax(value)}

`
}

function nodesText(nodes: readonly JsonPathNode[], value: unknown, evaluation: Evaluation): string {
  return nodes.map((node) => nodeText(node, value, evaluation)).join('')
}

function nodeText(node: JsonPathNode, value: unknown, evaluation: Evaluation): string {
  if (node.is === 'text') return node.text
  const found = follow(node.path, value, evaluation)
  if (node.is === 'path') return found.map(valueText).join(' ')
  return found.map((each) => nodesText(node.body, each, evaluation)).join('')
}

function results(nodes: readonly JsonPathNode[], value: unknown, evaluation: Evaluation): readonly unknown[] {
  return nodes.flatMap((node) => {
    if (node.is === 'text') return []
    const found = follow(node.path, value, evaluation)
    return node.is === 'path' ? found : found.flatMap((each) => results(node.body, each, evaluation))
  })
}

export function valueText(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  return isContainer(value) ? jsonText(value) : String(value)
}

/** Returns a function that finds the values of an expression such as `.metadata.name` or `{.metadata.name}`. */
export function valuesAt(expression: string): (value: unknown) => readonly unknown[] {
  const nodes = parsed(relaxed(expression))
  return (value) => results(nodes, value, { root: value, isStrict: false })
}

/** Adds the braces and the leading dot, which are optional. */
export function relaxed(expression: string): string {
  if (expression === '') return expression
  const [, inside] = /^\{?\.?([^{}]+)\}?$/.exec(expression) ?? []
  if (inside === undefined)
    throw new Error(
      `unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'`,
    )
  return `{.${inside}}`
}
