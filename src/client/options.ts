export interface RequestOptions {
  /** Gives up on the answer: it is then not known whether the server did what was asked. */
  readonly signal?: AbortSignal | undefined
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

export interface SelectOptions {
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

/** As the query of a request. What is undefined is left out, and so is what the server need not know. */
export function queryOf(options: object): URLSearchParams {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && name !== 'signal') query.set(name, String(value))
  return query
}
