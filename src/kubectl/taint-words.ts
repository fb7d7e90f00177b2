import type { Taint } from '../api/core/v1/taint.js'
import { labelKey, labelValue } from '../schema/label-names.js'

/** One that is taken out; without an effect all of its key are meant. */
export interface RemovedTaint {
  readonly key: string
  readonly effect: string
}

export interface TaintChanges {
  readonly added: readonly Taint[]
  readonly removed: readonly RemovedTaint[]
}

const effects: readonly string[] = ['NoSchedule', 'PreferNoSchedule', 'NoExecute']

/** `key=value:Effect` and `key:Effect` to set, `key-` and `key:Effect-` to take out. */
export function readTaints(words: readonly string[], failure: (problem: string) => Error): TaintChanges {
  const added: Taint[] = []
  const removed: RemovedTaint[] = []
  for (const word of words) {
    const { key, value, effect } = readTaint(word.replace(/-$/, ''), failure)
    if (word.endsWith('-')) {
      removed.push({ key, effect })
      continue
    }
    if (effect === '') throw failure(`invalid taint spec: ${word}`)
    const taint = { key, ...(value !== '' && { value }), effect } as Taint
    if (added.some((each) => isSameTaint(each, taint)))
      throw failure(`duplicated taints with the same key and effect: {${key} ${value} ${effect} <nil>}`)
    added.push(taint)
  }
  return { added, removed }
}

interface PlainTaint {
  readonly key: string
  readonly value: string
  readonly effect: string
}

function readTaint(text: string, failure: (problem: string) => Error): PlainTaint {
  const [first = '', effect, ...more] = text.split(':')
  if (more.length > 0) throw failure(`invalid taint spec: ${text}`)
  if (effect !== undefined && !effects.includes(effect))
    throw failure(`invalid taint effect: ${effect}, unsupported taint effect`)
  const [key = '', value = '', ...others] = effect === undefined ? [first] : first.split('=')
  if (others.length > 0) throw failure(`invalid taint spec: ${text}`)
  const problems = labelValue(value).length > 0 ? labelValue(value) : labelKey(key)
  if (problems.length > 0) throw failure(`invalid taint spec: ${text}, ${problems.join('; ')}`)
  return { key, value, effect: effect ?? '' }
}

export function isSameTaint(left: Taint, right: Taint): boolean {
  return left.key === right.key && left.effect === right.effect
}

/** `key:Effect`, or `key`. */
export function taintText({ key, effect }: RemovedTaint): string {
  return effect === '' ? key : `${key}:${effect}`
}
