export interface RestRequest {
  /** GET unless told. */
  readonly method?: string
  /** `/api/v1/namespaces/default/pods/web` */
  readonly path: string
  readonly query?: Query | undefined
  /** Sent as JSON, or as it is where it is bytes. */
  readonly body?: unknown
  readonly contentType?: string
  readonly accept?: string | undefined
  readonly signal?: AbortSignal | undefined
}

/** What is undefined is left out; several values of one name come one after another. */
export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

export interface SentRequest {
  readonly method: string
  readonly target: string
  readonly headers: Readonly<Record<string, string>>
  readonly data: Buffer | undefined
  readonly signal: AbortSignal | undefined
}
