/** Options of every verb. */
export interface RequestOptions {
  /** Abandons the request, which rejects with the signal's reason; a watch ends. It is unknown whether the server handles it. */
  readonly signal?: AbortSignal | undefined
  /** Upper bound of retries, which the client makes only if that is safe; 10 by default. */
  readonly retries?: number
}

interface IncludeOptions {
  /** Includes objects that initializers have not completed. A create with it returns before they have. */
  readonly includeUninitialized?: boolean
}

export interface GetOptions extends RequestOptions, IncludeOptions {
  /** The oldest acceptable revision; `0` for any. */
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
  /** The token of the previous page. */
  readonly continue?: string
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan'
}

export interface WatchOptions extends SelectOptions, RequestOptions, IncludeOptions {
  /** Reports changes after it; without it, the present objects come first. */
  readonly resourceVersion?: string
  readonly resourceVersionMatch?: 'NotOlderThan'
  /** Sends the present objects first, then a bookmark. */
  readonly sendInitialEvents?: boolean
  readonly allowWatchBookmarks?: boolean
  /**
   * Limits bookmarks to those after the present objects and before the end of the watch. Only a server in this process honours it: it saves
   * the others to a client whose watch cannot break off.
   */
  readonly sparseBookmarks?: boolean
  readonly timeoutSeconds?: number
}

export interface WriteOptions extends RequestOptions, IncludeOptions {
  readonly dryRun?: 'All'
  readonly fieldManager?: string
  readonly fieldValidation?: 'Strict' | 'Warn' | 'Ignore'
}

export interface ApplyOptions extends WriteOptions {
  readonly fieldManager: string
  /** Takes fields over from other managers. */
  readonly force?: boolean
}

export interface DeleteRequestOptions extends RequestOptions {
  readonly dryRun?: 'All'
  readonly gracePeriodSeconds?: number
  readonly propagationPolicy?: 'Orphan' | 'Background' | 'Foreground'
  /** Fails if the object is another one by now. */
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string }
}

/** Returns options as the query of a request, without undefined values. */
export function queryOf(given: RequestOptions): URLSearchParams {
  const { signal: _, retries: __, sparseBookmarks: ___, ...options } = given as WatchOptions
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(options)) if (value !== undefined) query.set(name, String(value))
  return query
}
