import { isList, isObject } from '../../../schema/json-value.js'
import { compareText } from '../../../schema/text-order.js'
import { functions, isTruthy, printed } from './functions.js'
import type { Pipe, TemplateCommand, TemplateNode, TemplateOperand } from './syntax.js'

class Break extends Error {}
class Continue extends Error {}

/** The variables of a block; inner blocks see those of outer blocks. */
class Scope {
  readonly #values = new Map<string, unknown>()
  readonly #outer: Scope | undefined

  constructor(outer?: Scope) {
    this.#outer = outer
  }

  get(name: string): unknown {
    if (this.#values.has(name)) return this.#values.get(name)
    if (!this.#outer) throw new Error(`undefined variable: ${name}`)
    return this.#outer.get(name)
  }

  declare(name: string, value: unknown): void {
    this.#values.set(name, value)
  }

  assign(name: string, value: unknown): void {
    if (this.#values.has(name)) this.#values.set(name, value)
    else if (this.#outer) this.#outer.assign(name, value)
    else throw new Error(`undefined variable: ${name}`)
  }
}

/** Executes a template. */
export class TemplateRun {
  readonly #templates: ReadonlyMap<string, readonly TemplateNode[]>
  readonly #isStrict: boolean

  constructor(nodes: readonly TemplateNode[], isStrict: boolean) {
    this.#templates = new Map(nodes.filter((node) => node.is === 'define').map(({ name, body }) => [name, body]))
    this.#isStrict = isStrict
  }

  write(nodes: readonly TemplateNode[], dot: unknown): string {
    const scope = new Scope()
    scope.declare('$', dot)
    return this.#nodes(nodes, dot, scope)
  }

  #nodes(nodes: readonly TemplateNode[], dot: unknown, scope: Scope): string {
    let result = ''
    for (const node of nodes) result += this.#node(node, dot, scope)
    return result
  }

  #node(node: TemplateNode, dot: unknown, scope: Scope): string {
    switch (node.is) {
      case 'text':
        return node.text
      case 'define':
        return ''
      case 'action': {
        const value = this.#pipe(node.pipe, dot, scope)
        return node.pipe.variables.length > 0 ? '' : printed(value)
      }
      case 'template':
        return this.write(this.#named(node.name), node.pipe ? this.#pipe(node.pipe, dot, scope) : undefined)
      case 'break':
        throw new Break()
      case 'continue':
        throw new Continue()
      case 'range':
        return this.#range(node, dot, scope)
      default:
        return this.#condition(node, dot, scope)
    }
  }

  #named(name: string): readonly TemplateNode[] {
    const nodes = this.#templates.get(name)
    if (!nodes) throw new Error(`template "${name}" not defined`)
    return nodes
  }

  #condition(node: TemplateNode & { is: 'if' | 'with' | 'range' }, dot: unknown, outer: Scope): string {
    const scope = new Scope(outer)
    const value = this.#pipe(node.pipe, dot, scope)
    if (!isTruthy(value)) return this.#nodes(node.otherwise, dot, scope)
    return this.#nodes(node.body, node.is === 'with' ? value : dot, scope)
  }

  #range(node: TemplateNode & { is: 'if' | 'with' | 'range' }, dot: unknown, outer: Scope): string {
    const entries = entriesOf(this.#pipe({ ...node.pipe, variables: [] }, dot, outer))
    if (entries.length === 0) return this.#nodes(node.otherwise, dot, outer)
    let result = ''
    for (const [key, value] of entries) {
      const scope = new Scope(outer)
      const names = node.pipe.variables
      const values = names.length === 2 ? [key, value] : [value]
      for (const [index, name] of names.entries()) scope.declare(name, values[index])
      const { text, isOver } = this.#round(node.body, value, scope)
      result += text
      if (isOver) break
    }
    return result
  }

  /** Runs the body of a range once. `break` and `continue` may end it. */
  #round(
    body: readonly TemplateNode[],
    dot: unknown,
    scope: Scope,
  ): { readonly text: string; readonly isOver: boolean } {
    let text = ''
    try {
      for (const each of body) text += this.#node(each, dot, scope)
    } catch (error) {
      if (error instanceof Break) return { text, isOver: true }
      if (!(error instanceof Continue)) throw error
    }
    return { text, isOver: false }
  }

  #pipe({ commands, variables, isDeclaration }: Pipe, dot: unknown, scope: Scope): unknown {
    let value: unknown
    for (const [index, command] of commands.entries())
      value = this.#command(command, index === 0 ? [] : [value], dot, scope)
    for (const name of variables) isDeclaration ? scope.declare(name, value) : scope.assign(name, value)
    return value
  }

  /** The piped value is the last argument. */
  #command(command: TemplateCommand, piped: readonly unknown[], dot: unknown, scope: Scope): unknown {
    const [first, ...rest] = command
    if (first?.is === 'function') {
      const args = rest.map((operand) => () => this.#operand(operand, dot, scope))
      return call(first.name, [...args, ...piped.map((value) => () => value)])
    }
    if (rest.length > 0 || piped.length > 0) throw new Error("can't give argument to non-function")
    return this.#operand(first!, dot, scope)
  }

  #operand(operand: TemplateOperand, dot: unknown, scope: Scope): unknown {
    switch (operand.is) {
      case 'literal':
        return operand.value
      case 'dot':
        return dot
      case 'variable':
        return this.#fields(scope.get(operand.name), operand.fields)
      case 'field':
        return this.#fields(dot, operand.fields)
      case 'function':
        return call(operand.name, [])
      case 'pipe':
        return this.#fields(this.#pipe(operand.pipe, dot, scope), operand.fields)
    }
  }

  #fields(start: unknown, fields: readonly string[]): unknown {
    let value = start
    for (const field of fields) {
      if (value === undefined || value === null) {
        if (this.#isStrict) throw new Error(`nil data; no entry for key "${field}"`)
        return undefined
      }
      if (!isObject(value)) throw new Error(`can't evaluate field ${field} in type interface {}`)
      if (this.#isStrict && !Object.hasOwn(value, field)) throw new Error(`map has no entry for key "${field}"`)
      value = Object.hasOwn(value, field) ? value[field] : undefined
    }
    return value
  }
}

type Later = () => unknown

function call(name: string, args: readonly Later[]): unknown {
  if (name === 'and' || name === 'or') return lazily(args, name === 'or')
  const known = Object.hasOwn(functions, name) ? functions[name] : undefined
  if (!known) throw new Error(`function "${name}" not defined`)
  return known(...args.map((arg) => arg()))
}

/** Evaluates arguments until one decides the result. */
function lazily(args: readonly Later[], settles: boolean): unknown {
  let value: unknown
  for (const arg of args) {
    value = arg()
    if (isTruthy(value) === settles) return value
  }
  return value
}

function entriesOf(value: unknown): readonly (readonly [unknown, unknown])[] {
  if (isList(value)) return value.map((each, index) => [index, each] as const)
  if (isObject(value))
    return Object.keys(value)
      .sort(compareText)
      .map((key) => [key, value[key]] as const)
  if (typeof value === 'number') return Array.from({ length: value }, (_, index) => [index, index] as const)
  if (value === null || value === undefined) return []
  throw new Error(`range can't iterate over ${String(value)}`)
}
