import type { Field, Fields, PresentField, Schema } from './declaration.js'

/**
 * The TypeScript type of a declared object. Everything is read-only: a stored object is shared by every reader.
 * Use as `export interface DeploymentSpec extends Infer<typeof DeploymentSpec> {}`.
 */
export type Infer<S> = S extends Schema<infer Required, infer Optional> ? Given<Required> & MaybeGiven<Optional> : never

/**
 * The TypeScript type of a kind as the server stores it, with every required part present: `pod.status.phase` needs no question mark.
 * Use as `export interface Deployment extends Instance<typeof Deployment> {}`.
 */
export type Instance<S> =
  S extends Schema<infer Required, infer Optional>
    ? TypeMeta & Given<Required> & Given<Present<Optional>> & MaybeGiven<Omit<Optional, keyof Present<Optional>>>
    : never

/** Fields of every kind. */
export interface TypeMeta {
  readonly apiVersion: string
  readonly kind: string
}

/** An object under construction: all of its fields can be assigned. Never use it for an object that was stored or read. */
export type Draft<T> = unknown extends T
  ? T
  : T extends string | number | boolean | null | undefined
    ? T
    : T extends readonly (infer Element)[]
      ? Draft<Element>[]
      : { -readonly [K in keyof T]: Draft<T[K]> }

export type ValueOf<F> = F extends Field<infer T> ? T : never

type Given<F> = { readonly [K in keyof F]: ValueOf<F[K]> }
type MaybeGiven<F> = { readonly [K in keyof F]?: ValueOf<F[K]> }
type Present<F extends Fields> = { [K in keyof F as F[K] extends PresentField ? K : never]: F[K] }
