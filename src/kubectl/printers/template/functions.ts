import { isList, isObject } from '../../../schema/json-value.js'
import { compareText } from '../../../schema/text-order.js'
import { goPrinted } from '../json-path/go-syntax.js'
import { formatted } from './format.js'

type TemplateFunction = (...args: readonly unknown[]) => unknown

/** Go's truth: empty values are false. */
export function isTruthy(value: unknown): boolean {
  if (isList(value)) return value.length > 0
  if (isObject(value)) return Object.keys(value).length > 0
  return value !== null && value !== undefined && value !== '' && value !== 0 && value !== false
}

/** The functions of templates, except `and` and `or`, which evaluate their arguments lazily. */
export const functions: Readonly<Record<string, TemplateFunction>> = {
  not: (value) => !isTruthy(value),
  eq: (first, ...others) => others.some((other) => isEqual(first, other)),
  ne: (left, right) => !isEqual(left, right),
  lt: (left, right) => order(left, right) < 0,
  le: (left, right) => order(left, right) <= 0,
  gt: (left, right) => order(left, right) > 0,
  ge: (left, right) => order(left, right) >= 0,
  index: (value, ...keys) => keys.reduce(indexed, value),
  slice: (value, from, to) => (value as string | readonly unknown[]).slice(Number(from ?? 0), to as number | undefined),
  len: lengthOf,
  print: (...args) => args.map(printed).join(''),
  println: (...args) => `${args.map(printed).join(' ')}\n`,
  printf: (format, ...args) => formatted(String(format), args),
  html: (...args) =>
    args
      .map(printed)
      .join('')
      .replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`),
  js: (...args) => JSON.stringify(args.map(printed).join('')).slice(1, -1),
  urlquery: (...args) => encodeURIComponent(args.map(printed).join('')).replaceAll('%20', '+'),
  exists: (value, ...keys) => keys.reduce<unknown>(member, value) !== undefined,
  base64decode: (value) => Buffer.from(String(value), 'base64').toString(),
}

export function printed(value: unknown): string {
  return goPrinted(value)
}

function isEqual(left: unknown, right: unknown): boolean {
  if (left !== null && right !== null && left !== undefined && right !== undefined && typeof left !== typeof right)
    throw new Error('error calling eq: incompatible types for comparison')
  return left === right
}

function order(left: unknown, right: unknown): number {
  if (typeof left !== typeof right) throw new Error('error calling lt: incompatible types for comparison')
  return typeof left === 'number' ? left - (right as number) : compareText(String(left), String(right))
}

function indexed(value: unknown, key: unknown): unknown {
  if (value === null || value === undefined) throw new Error('error calling index: index of untyped nil')
  if (isObject(value)) return value[String(key)] ?? null
  const at = Number(key)
  const { length } = value as { readonly length: number }
  if (at < 0 || at >= length) throw new Error(`error calling index: reflect: slice index out of range`)
  return (value as readonly unknown[])[at]
}

function member(value: unknown, key: unknown): unknown {
  if (isObject(value)) return value[String(key)]
  return isList(value) ? value[Number(key)] : undefined
}

function lengthOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value)
  if (isList(value)) return value.length
  if (isObject(value)) return Object.keys(value).length
  throw new Error(
    value === null || value === undefined
      ? 'error calling len: len of nil pointer'
      : `error calling len: len of type ${typeof value}`,
  )
}
