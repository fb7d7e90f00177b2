export interface RestRequest {
  /** GET by default. */
  readonly method?: string
  /** `/api/v1/namespaces/default/pods/web` */
  readonly path: string
  readonly query?: Query | undefined
  /** Bytes are sent as they are, any other value as JSON. */
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** Parameters that are undefined are left out; an array repeats its name. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/** A request in the form in which it is sent and logged. */
export interface SentRequest {
  readonly method: string
  /** Path and query. */
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly data: Buffer | undefined
  readonly signal: AbortSignal
}

/** Formats a query with sorted names, `?limit=500&watch=true`, or '' if it is empty. */
export function queryText(query: Query): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => [name, String(each)] as [string, string]),
    )
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`
}
