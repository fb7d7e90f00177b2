/** What every verb takes. */
export interface RequestOptions {
  /** Gives the request up: it is rejected with the signal's reason, and a watch ends. What the server does with it is not known. */
  readonly signal?: AbortSignal | undefined
  /** How often the client tries again by itself, where that is safe: ten times unless told. */
  readonly retries?: number
}

/** What can be asked of each verb; named as the API names it. */
interface IncludeOptions {
  /** Objects that initializers have yet to complete, too. Who creates one is answered before they have. */
  readonly includeUninitialized?: boolean
}

export interface GetOptions extends RequestOptions, IncludeOptions {
  /** Not older than this revision; `0` for any. */
  readonly resourceVersion?: string
}

export interface SelectOptions extends RequestOptions {
  /** `app=web,tier in (front, back)` */
  readonly labelSelector?: string
  /** `spec.nodeName=machine` */
  readonly fieldSelector?: string
}

export interface ListOptions extends SelectOptions, RequestOptions, IncludeOptions {
  readonly limit?: number
  /** Where the page before ended. */
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

export interface WatchOptions extends SelectOptions, RequestOptions, IncludeOptions {
  /** What comes after it is told; without it, what is there comes first. */
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'NotOlderThan'
  /** What is there comes first, then a bookmark that says so. */
  readonly sendInitialEvents?: boolean
  readonly allowWatchBookmarks?: boolean
  readonly timeoutSeconds?: number
}

export interface WriteOptions extends RequestOptions, IncludeOptions {
  readonly dryRun?: 'All'
  readonly fieldManager?: string
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string
  /** Takes fields over from others. */
  readonly force?: boolean
}

export interface DeleteOptions extends RequestOptions {
  readonly dryRun?: 'All'
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
  /** Only if it is still that object. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** As the query of a request. What is undefined is left out. */
export function queryOf<T extends RequestOptions>({ signal: _, retries: __, ...options }: T): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) if (value !== undefined) query.set(name, String(value))
  return query
}
