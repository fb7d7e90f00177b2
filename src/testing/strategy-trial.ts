import { builtin } from '../api/scheme.js'
import { decode } from '../schema/decoder.js'
import { setDefaults } from '../schema/defaults.js'
import type { Draft } from '../schema/infer.js'
import type { Strategy, StrategyContext } from '../schema/strategy.js'

/** Tries the rules of one kind as the verbs would use them, without a server. */
export interface StrategyTrial<T> {
  readonly strategy: Strategy<T>
  readonly context: StrategyContext
  /** What a client says, as an object with its defaults. */
  readonly said: (body: object) => T
  /** The same, made ready to be stored. */
  readonly created: (body: object) => T
  /** What is wrong with a new object. */
  readonly refusals: (object: T) => readonly string[]
  /** What becomes of a copy of `old` that was changed, and what is wrong with it; through a subresource, if one is named. */
  readonly updated: (old: T, change: (draft: Draft<T>) => void, view?: string) => Updated<T>
}

export interface Updated<T> {
  readonly object: T
  readonly errors: readonly string[]
}

export function trialOf<T>(name: string): StrategyTrial<T> {
  const type = builtin.type(name)
  const strategy = type.strategy as Strategy<T>
  const context: StrategyContext = {
    time: '2024-05-06T07:08:09Z',
    allowPrivileged: false,
    user: { name: 'admin', uid: '', groups: [], extra: {} },
  }
  const said = (body: object): T => {
    const { apiVersion, kind } = type.kind!
    const whole = { apiVersion, kind, metadata: { name: 'a' }, ...body }
    const { object } = decode(type, Buffer.from(JSON.stringify(whole)), 'Strict')
    setDefaults(type, object)
    return object as T
  }
  return {
    strategy,
    context,
    said,
    created: (body) => {
      const object = said(body)
      strategy.prepareCreate?.(object as Draft<T>, context)
      return object
    },
    refusals: (object) => [...strategy.validate!(object, context)].map(String),
    updated: (old, change, view) => {
      const draft = structuredClone(old) as Draft<T>
      change(draft)
      setDefaults(type, draft as object)
      const rules = view === undefined ? strategy : strategy.subresources![view]!
      rules.prepareUpdate?.(draft, old, context)
      const object = draft as T
      return { object, errors: [...rules.validateUpdate!(object, old, context)].map(String) }
    },
  }
}
