import type { JsonObject, JsonValue, Rules, Schema } from './declaration.js'
import type { FieldError } from './field-errors.js'
import type { FieldPath } from './field-path.js'
import type { Draft } from './infer.js'

export interface RuleContext<T> {
  /** Where the object stands. */
  readonly path: FieldPath
  /** What it replaces; undefined on create, and for elements of lists. */
  readonly old: T | undefined
}

export interface RuleParts<T> {
  /** Fills in what depends on more than one field. Must change nothing when it runs a second time. */
  readonly defaults?: (draft: Draft<T>) => void
  /** Checks what depends on more than one field, or on what the object was before. */
  readonly validate?: (object: T, context: RuleContext<T>) => Iterable<FieldError>
  /** Cells of the table, by the name of their column, as of `now` in milliseconds since the epoch. */
  readonly cells?: Readonly<Record<string, (object: T, now: number) => JsonValue>>
  /** What is told beside a row of the table; most kinds have nothing to add. */
  readonly rowConditions?: (object: T) => readonly JsonObject[]
}

/** Attaches behaviour to a declared type: `export const podRules = rules<Pod>(Pod, { … })`. */
export function rules<T>(of: Schema, parts: RuleParts<T>): Rules {
  return { is: 'rules', of: of.name, ...(parts as Partial<Rules>) }
}
